#!/usr/bin/env bash
# The Python package is packed as a source distribution, and its wheel is built from that.
#
#   tests/python/wheel.sh [MAUMAU]    leaves both in target/python/dist; with the program MAUMAU in the wheel, else it builds one
set -euo pipefail
maumau=${1:+$(realpath "$1")}
cd "$(dirname "$0")/../.."
export CARGO_TARGET_DIR=$PWD/target/python
# Built in less time than what is published, and fast enough for tests.
export CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_LTO=off
# Unpacked at one place, so that dependencies built before are used again; as of now (-m), so that what changed is built.
source=$CARGO_TARGET_DIR/source dist=$CARGO_TARGET_DIR/dist tools=$CARGO_TARGET_DIR/tools
rm -rf "$source" "$dist"
mkdir -p "$source" "$dist"
python3 -m venv "$tools"
"$tools/bin/pip" install -q --disable-pip-version-check "maturin>=1.9,<2"
export PATH=$tools/bin:$PATH
python - "$dist" <<'END'
import sys
sys.path.insert(0, "agents/python/package")
import build_backend
build_backend.build_sdist(sys.argv[1])
END
tar -xmf "$dist"/*.tar.gz -C "$source"
export MAUMAU_PROGRAM=$maumau MATURIN_PEP517_ARGS=--locked RUSTFLAGS="-D warnings"
"$tools/bin/pip" wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w "$dist" "$source"/maumau-*
