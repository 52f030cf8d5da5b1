#!/usr/bin/env bash
# The pages in a real browser: installs what a bare machine lacks, then plays games, serves them and looks at every page.
#
#   tests/browser/run.sh [MAUMAU [SCRIPT OPTIONS]]
#
# With a script of this folder it runs that instead of the tests: `person.py` plays as a person, in human time. Pictures of every page at three widths are left in target/browser.
set -euo pipefail
cd "$(dirname "$0")/../.."
tools=target/browser/tools
if ! command -v chromium >/dev/null && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq
    npm=npm
    command -v npm >/dev/null && npm=
    apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core $npm
fi
for program in chromium npm python3; do
    if ! command -v "$program" >/dev/null; then
        echo "== pages in a browser: left out, $program is not installed"
        exit 0
    fi
done
if [ ! -d "$tools/node_modules/axe-core" ]; then
    npm install --silent --no-fund --no-audit --prefix "$tools" axe-core@4.10 typescript@5.9
fi
if [ ! -d "$tools/python/playwright" ] || [ ! -d "$tools/python/pyte" ]; then
    python3 -m pip install --quiet --root-user-action ignore --upgrade --target "$tools/python" playwright pyte
fi
"$tools/node_modules/.bin/tsc" --noEmit --allowJs --checkJs --strict --target es2022 --module es2022 --moduleResolution bundler \
    --lib es2022,dom,dom.iterable arena/web/src/viewer/*.js
export MAUMAU AXE=$tools/node_modules/axe-core/axe.min.js PYTHONPATH=$tools/python
MAUMAU=$(realpath "${1:-target/release/maumau}")
if [ $# -gt 1 ]; then
    exec python3 "tests/browser/$2" "${@:3}"
fi
python3 -m unittest discover -s tests/browser -p '*pages.py'
