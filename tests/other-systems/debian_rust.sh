# To be sourced. Debian's Rust for web browsers comes with the sources of the standard library, which cargo then builds for any system.
# Ends the script that it is sourced in, with a line, where this Rust is not there and cannot be installed.
if [ ! -e /usr/lib/rustlib/src/rust/library/Cargo.lock ]; then
    if ! grep -qs '^ID=debian' /etc/os-release || [ "$(id -u)" -ne 0 ]; then
        echo "== other systems: left out, Debian's rustc-web, cargo-web and rust-web-src are not installed"
        exit 0
    fi
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends rustc-web cargo-web rust-web-src
fi
export CARGO=/usr/bin/cargo RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1
minimum=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
found=$("$RUSTC" --version | cut -d' ' -f2)
if [ "$(printf '%s\n%s\n' "$minimum" "$found" | sort -V | head -1)" != "$minimum" ]; then
    echo "Debian's Rust $found is older than $minimum, which the workspace needs" >&2
    exit 3
fi
