#!/usr/bin/env bash
# The Python package: its wheel is built from its source distribution and installed into a fresh virtual environment, and tests,
# examples and OpenSpiel's own tests run against what is installed.
#
#   tests/python/run.sh [MAUMAU]            MAUMAU is the program for the wheel, which is built if none is named
#   BUILT=1 tests/python/run.sh             takes the wheel that tests/python/wheel.sh has just built
#   PARITY_GAMES=10000 tests/python/run.sh  compares that many games of each rule set with the arena's
set -euo pipefail
maumau=${1:+$(realpath "$1")}
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -n "${BUILT:-}" ] || tests/python/wheel.sh $maumau
dist=$PWD/target/python/dist tools=$PWD/target/python/tools
python3 -m venv "$work/venv"
python=$work/venv/bin/python
"$python" -m pip install -q --disable-pip-version-check numpy gymnasium pettingzoo cloudpickle open_spiel polars pyarrow matplotlib resvg \
    supersuit "minari[create,hdf5]" nbclient ipykernel
package=agents/python/package
"$python" -m pip install -q --disable-pip-version-check --no-deps "$dist"/*.whl
cp -r "$package/tests" "$package/examples" "$package/notebooks" CITATION.cff "$work"
export MAUMAU=$work/venv/bin/maumau
cd "$work"
"$python" -m unittest discover -v -s tests
for example in random_and_greedy flat_monte_carlo study self_play transfer cfr; do
    echo "== $example"
    "$python" "examples/$example.py"
done

echo "== types of the kit that is copied beside a bot"
mkdir "$work/bot"
cp "$OLDPWD"/agents/python/maumau_kit.py "$OLDPWD"/agents/python/template/*.py "$work/bot"
"$python" -m pip install -q --disable-pip-version-check "mypy>=2.4,<3"
(cd "$work/bot" && "$python" -m mypy --strict .)

# With an interpreter that has PyTorch, such as that of Debian with its package python3-torch.
echo "== actor_critic_torch"
for with_torch in python3 /usr/bin/python3; do
    if "$with_torch" -c "import torch" 2>/dev/null; then
        "$with_torch" -m venv --without-pip --system-site-packages "$work/torch"
        "$tools/bin/pip" --python "$work/torch/bin/python" install -q --disable-pip-version-check "numpy>=1.26,<2" "$dist"/*.whl
        "$work/torch/bin/python" examples/actor_critic_torch.py
        echo "== dqn"
        "$work/torch/bin/python" examples/dqn.py
        echo "== rlcard_dqn"
        "$tools/bin/pip" --python "$work/torch/bin/python" install -q --disable-pip-version-check --no-deps rlcard termcolor
        "$work/torch/bin/python" examples/rlcard_dqn.py
        echo "== tianshou_dqn"
        "$tools/bin/pip" --python "$work/torch/bin/python" install -q --disable-pip-version-check "tianshou==0.5.1" "numpy>=1.26,<2"
        "$work/torch/bin/python" examples/tianshou_dqn.py 300
        echo "== maskable_ppo"
        # Its metadata asks for a later PyTorch than Debian's, which is enough.
        "$tools/bin/pip" --python "$work/torch/bin/python" install -q --disable-pip-version-check --no-deps sb3-contrib \
            stable-baselines3 gymnasium farama-notifications cloudpickle
        "$tools/bin/pip" --python "$work/torch/bin/python" install -q --disable-pip-version-check "numpy>=1.26,<2" "pandas<2.3" matplotlib
        "$work/torch/bin/python" examples/maskable_ppo.py
        exit
    fi
done
echo "== actor_critic_torch: left out, PyTorch is not installed"
