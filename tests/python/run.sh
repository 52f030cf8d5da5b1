#!/usr/bin/env bash
# The Python package: its source distribution is made, the wheel is built from that and installed into a fresh virtual environment, and
# tests, examples and OpenSpiel's own tests run against what is installed.
#
#   tests/python/run.sh [MAUMAU]            MAUMAU is the program, with the feature parquet; by default target/release/maumau
#   PARITY_GAMES=10000 tests/python/run.sh  compares that many games of each rule set with the arena's
set -euo pipefail
cd "$(dirname "$0")/../.."
maumau=$(realpath "${1:-target/release/maumau}")
if [ ! -x "$maumau" ]; then
    echo "there is no program $maumau: cargo build --release --features parquet, or name another one" >&2
    exit 3
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/tools"
python3 -m venv "$work/venv"
"$work/tools/bin/pip" install -q --disable-pip-version-check "maturin>=1.9,<2"
python=$work/venv/bin/python
"$python" -m pip install -q --disable-pip-version-check numpy gymnasium pettingzoo cloudpickle open_spiel polars pyarrow matplotlib resvg
package=agents/python/package
export CARGO_TARGET_DIR=$PWD/target/python PATH=$work/tools/bin:$PATH
# Built in less time than what is published, and fast enough for tests.
export CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_LTO=off
# Always unpacked at the same place, so that what was built before is used again.
source=$CARGO_TARGET_DIR/source
rm -rf "$source"
mkdir -p "$source"
maturin sdist -m "$package/Cargo.toml" -o "$work/dist"
tar -xf "$work"/dist/*.tar.gz -C "$source"
(cd "$source"/maumau-* && RUSTFLAGS="-D warnings" maturin build -q --release --locked -o "$work/dist")
"$python" -m pip install -q --disable-pip-version-check --no-deps "$work"/dist/*.whl
cp -r "$package/tests" "$package/examples" "$work"
export MAUMAU=$maumau
cd "$work"
"$python" -m unittest discover -v -s tests
for example in random_and_greedy flat_monte_carlo study self_play transfer; do
    echo "== $example"
    "$python" "examples/$example.py"
done

# With an interpreter that has PyTorch, such as that of Debian with its package python3-torch.
echo "== actor_critic_torch"
for with_torch in python3 /usr/bin/python3; do
    if "$with_torch" -c "import torch" 2>/dev/null; then
        "$with_torch" -m venv --without-pip --system-site-packages "$work/torch"
        "$work/tools/bin/pip" --python "$work/torch/bin/python" install -q --disable-pip-version-check "numpy>=1.26,<2" "$work"/dist/*.whl
        "$work/torch/bin/python" examples/actor_critic_torch.py
        exit
    fi
done
echo "== actor_critic_torch: left out, PyTorch is not installed"
