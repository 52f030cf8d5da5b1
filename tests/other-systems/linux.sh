#!/usr/bin/env bash
# Builds for other kinds of Linux what a release has, as the release workflow does, and plays with it: the program alone with musl,
# in an empty folder and in the container image; the programs for arm64 on a kernel for arm64 in an emulated machine, in the sandbox.
# There the same game must come out, and the same judgement of its decisions. Wheels are audited by their build.
#
#   tests/other-systems/linux.sh [TARGET…]
#
# Needs Debian and root: what is missing is installed.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/other-systems/debian_rust.sh
targets=("$@")
[ $# -gt 0 ] || targets=(x86_64-unknown-linux-musl aarch64-unknown-linux-musl aarch64-unknown-linux-gnu)
apt-get install -y -qq --no-install-recommends buildah bubblewrap cpio python3-venv qemu-system-arm >/dev/null
env -u CARGO -u RUSTC -u RUSTC_BOOTSTRAP cargo build --quiet --locked -p maumau-arena
here=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

passed=0 failed=0
expect() {
    local what=$1
    shift
    if "$@" >"$work/out.txt" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$what:"
        tail -n 20 "$work/out.txt"
    fi
}
# The same game and the same judgement of its decisions must come out everywhere.
cd "$work"
PATH="$here/target/debug:$PATH" maumau play --quiet --rules basic --seed 7 --record game.jsonl --seat 'maumau agent greedy' --seat 'maumau agent random'
digest=$("$here/target/debug/maumau" verify --format json game.jsonl | grep -o '[0-9a-f]\{64\}')
judged=$("$here/target/debug/maumau" analyse --quick --format json game.jsonl | sha256sum | cut -d' ' -f1)
cd "$here"

# As the release workflow builds it, but that the standard library is built too; zig has the files that a program begins with.
build() {
    local target=$1 name
    name=$(tr a-z- A-Z_ <<<"$target")
    env PATH="/usr/bin:$PATH" CARGO_UNSTABLE_BUILD_STD=std,panic_unwind "CARGO_TARGET_${name}_RUSTFLAGS=-Clink-self-contained=no" \
        .github/build "$target"
}

# The program in an otherwise empty folder that is the root of its processes.
alone() {
    mkdir -p "$work/root/data"
    cp "target/$1/release/maumau" "$work/root/"
    bwrap --bind "$work/root" / --proc /proc --dev /dev --tmpfs /tmp --unshare-pid --unshare-net --clearenv --setenv PATH / --chdir /data \
        /maumau tournament demo --games 24
}

# The second stage of the container file, with this program in the place of what its first stage builds.
image() {
    local at="$work/built/source/target/release" container
    mkdir -p "$at"
    cp "target/$1/release/maumau" "$at/"
    export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
    buildah build --build-context "build=$work/built" --file Containerfile --tag maumau-test "$work/built"
    container=$(buildah from localhost/maumau-test)
    buildah run "$container" -- /maumau tournament demo --games 24
    buildah rm "$container"
    buildah rmi localhost/maumau-test
}

# Debian's kernel for arm64 and a shell.
machine() {
    (
        cd "$work"
        dpkg --add-architecture arm64
        apt-get update -qq
        kernel=$(apt-cache depends linux-image-arm64:arm64 | awk '/Depends: linux-image/ { print $2 }')
        apt-get download -qq busybox-static:arm64 libc6:arm64 "$kernel"
        dpkg --remove-architecture arm64
        dpkg -x busybox-static_*.deb busybox
        dpkg -x libc6_*.deb libc
        dpkg-deb --fsys-tarfile linux-image-*.deb | tar -x ./boot
    ) >"$work/machine.txt" 2>&1 || { cat "$work/machine.txt"; return 1; }
}

# Boots that kernel with the program, which plays, verifies its record, and plays a tournament.
on_arm64() {
    local root="$work/arm64"
    rm -rf "$root"
    mkdir -p "$root/bin"
    cp "$work/busybox/bin/busybox" "target/$1/release/maumau" "$root/bin/"
    cp -r "$work/libc/lib" "$root/lib"
    cat >"$root/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys /dev /tmp
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sys /sys
/bin/busybox mount -t devtmpfs dev /dev
/bin/busybox mount -t tmpfs tmp /tmp
/bin/busybox ip link set lo up
export PATH=/bin HOME=/tmp
cd /tmp
maumau play --rules basic --seed 7 --record game.jsonl --seat 'maumau agent greedy' --seat 'maumau agent random'
maumau verify game.jsonl && echo "the record is sound"
echo "judged $(maumau analyse --quick --format json game.jsonl | /bin/busybox sha256sum | /bin/busybox cut -d' ' -f1)"
maumau tournament demo --games 24 && echo "the tournament is played"
/bin/busybox poweroff -f
INIT
    chmod +x "$root/init"
    (cd "$root" && find . | cpio --quiet -o -H newc | gzip -1) >"$work/initrd.gz"
    timeout 600 qemu-system-aarch64 -M virt -cpu cortex-a57 -smp 2 -m 2048 -nographic -no-reboot -kernel "$work"/boot/vmlinuz-* \
        -initrd "$work/initrd.gz" -append 'console=ttyAMA0 quiet panic=-1' </dev/null | tr -d '\r' >"$work/arm64.txt"
    cat "$work/arm64.txt"
    grep -qx "digest $digest" "$work/arm64.txt"
    grep -qx "judged $judged" "$work/arm64.txt"
    grep -qx 'sandbox basic' "$work/arm64.txt"
    grep -qx 'the record is sound' "$work/arm64.txt"
    grep -qx 'the tournament is played' "$work/arm64.txt"
}

for target in "${targets[@]}"; do
    before=$failed
    expect "$target: a program and a wheel" build "$target"
    [ "$failed" -eq "$before" ] || continue
    case $target in
    x86_64-*)
        expect "$target: the program alone" alone "$target"
        expect "$target: the container image" image "$target"
        ;;
    aarch64-*)
        ls "$work"/boot/vmlinuz-* >/dev/null 2>&1 || expect "a machine for arm64" machine
        expect "$target: on arm64" on_arm64 "$target"
        ;;
    esac
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
