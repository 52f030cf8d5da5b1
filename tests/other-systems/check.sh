#!/usr/bin/env bash
# Checks that the product compiles on macOS and Windows, and the pure crates in a browser, without such machines.
#
#   tests/other-systems/check.sh [TARGET…]
#
# Code in C is not compiled: a check needs none of it. Nothing is linked and nothing runs.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/other-systems/debian_rust.sh

# Compilers and archivers that make empty files, and a maker of import libraries that makes empty archives.
empty=$(mktemp -d)
trap 'rm -rf "$empty"' EXIT
cat >"$empty/cc" <<'SCRIPT'
#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in
    -o) : >"$2"; shift ;;
    esac
    shift
done
SCRIPT
mkdir "$empty/path"
cat >"$empty/path/x86_64-w64-mingw32-dlltool" <<'SCRIPT'
#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in
    -l) printf '!<arch>\n' >"$2"; shift ;;
    esac
    shift
done
SCRIPT
cat >"$empty/ar" <<'SCRIPT'
#!/bin/sh
for word in "$@"; do
    case $word in
    *.a | *.lib) : >"$word" ;;
    esac
done
SCRIPT
chmod +x "$empty/cc" "$empty/ar" "$empty/path/"*
export PATH="$empty/path:$PATH"
for target in x86_64_apple_darwin x86_64_pc_windows_gnu wasm32_unknown_unknown; do
    export "CC_$target=$empty/cc" "AR_$target=$empty/ar" "RANLIB_$target=true"
done
export CRATE_CC_NO_DEFAULTS=1

failed=0
targets=("$@")
[ $# -gt 0 ] || targets=(x86_64-apple-darwin x86_64-pc-windows-gnu wasm32-unknown-unknown)
for target in "${targets[@]}"; do
    case $target in
    wasm32-*) read -ra packages < <(tests/crates pure) ;;
    *) packages=(-p maumau-arena -p maumau-agents -p maumau-sdk) ;;
    esac
    if RUSTFLAGS="-D warnings" "$CARGO" check --quiet --locked -Zbuild-std --target "$target" --target-dir target/other-systems "${packages[@]}"; then
        echo "$target: compiles"
    else
        echo "$target: does not compile"
        failed=$((failed + 1))
    fi
done
echo "$((${#targets[@]} - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
