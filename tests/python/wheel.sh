#!/usr/bin/env bash
# The Python package is packed as a source distribution, and its wheel is built from that.
#
#   tests/python/wheel.sh    leaves both in target/python/dist
set -euo pipefail
cd "$(dirname "$0")/../.."
package=agents/python/package
export CARGO_TARGET_DIR=$PWD/target/python
# Built in less time than what is published, and fast enough for tests.
export CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_LTO=off
# Unpacked at one place, so that dependencies built before are used again; as of now (-m), so that what changed is built.
source=$CARGO_TARGET_DIR/source dist=$CARGO_TARGET_DIR/dist tools=$CARGO_TARGET_DIR/tools
rm -rf "$source" "$dist"
mkdir -p "$source"
python3 -m venv "$tools"
"$tools/bin/pip" install -q --disable-pip-version-check "maturin>=1.9,<2"
export PATH=$tools/bin:$PATH
maturin sdist -m "$package/Cargo.toml" -o "$dist"
tar -xmf "$dist"/*.tar.gz -C "$source"
(cd "$source"/maumau-* && RUSTFLAGS="-D warnings" maturin build -q --release --locked -o "$dist")
