#!/usr/bin/env bash
# Builds the program for Windows and plays with it in Wine: the same game as on Linux, the steps of `check`, a tournament, a level
# that is refused. Needs what check.sh needs, and Debian's gcc-mingw-w64-x86-64, wine and wine64.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/other-systems/debian_rust.sh
env CARGO_PROFILE_DEV_DEBUG=0 CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc \
    "$CARGO" build --quiet --locked -Zbuild-std=std,panic_unwind --target x86_64-pc-windows-gnu --target-dir target/wine -p maumau-arena
env -u CARGO -u RUSTC -u RUSTC_BOOTSTRAP cargo build --quiet --locked -p maumau-arena

here=$PWD
work=$(mktemp -d)
export WINEPREFIX=$work/wine WINEDEBUG=-all
# The server of this prefix alone, which writes there until it has ended.
trap 'wineserver -k; wineserver -w; rm -rf "$work"' EXIT
cp target/wine/x86_64-pc-windows-gnu/debug/maumau.exe "$work"
cd "$work"
# Wine before 9 has no library of this name, from which Rust takes random numbers.
cat >random.c <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T len) { return SystemFunction036(data, (ULONG)len); }
C
x86_64-w64-mingw32-gcc -shared -o bcryptprimitives.dll random.c -ladvapi32

passed=0 failed=0
expect() {
    local what=$1
    shift
    if "$@" >out.txt 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$what:"
        tail -n 20 out.txt
    fi
}
maumau() { timeout 300 wine maumau.exe "$@"; }
seats=(--seat 'maumau agent greedy' --seat 'maumau agent random')
same_game() {
    maumau play --rules basic --seed 7 --record game.jsonl "${seats[@]}" | tr -d '\r' | grep '^digest' >windows.txt
    "$here/target/debug/maumau" play --rules basic --seed 7 "${seats[@]}" | grep '^digest' >linux.txt
    diff windows.txt linux.txt
}
refused() { ! maumau play --sandbox basic "${seats[@]}" 2>refusal.txt && grep 'exists on Linux only' refusal.txt; }
# An agent that never answers, with a child: neither is there afterwards.
nothing_left() {
    ! maumau check --games 1 -- cmd /c ping -n 1000 127.0.0.1 >/dev/null && ! pgrep -f 'ping -n 1000 127.0.0.1'
}
expect "the same game as on Linux" same_game
expect "its record is sound" maumau verify game.jsonl
expect "an agent is checked" maumau check --games 1 -- maumau agent greedy
expect "a tournament" maumau tournament demo
expect "a level is refused" refused
expect "the doctor" maumau doctor
expect "nothing is left behind" nothing_left
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
