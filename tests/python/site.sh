#!/usr/bin/env bash
# The documentation as pages that need no network: the documents of the repository and the docstrings of the Python package.
#
#   tests/python/site.sh     leaves it in target/site/site, to be opened at index.html; fails where a link or a name leads nowhere
set -euo pipefail
cd "$(dirname "$0")/../.."
place=$PWD/target/site pages=$PWD/target/site/pages tools=$PWD/target/site-tools package=agents/python/package
rm -rf "$place"
reference=$pages/reference.md
mkdir -p "$pages"
python3 -m venv "$tools"
"$tools/bin/pip" install -q --disable-pip-version-check "mkdocs-material>=9,<10" "mkdocstrings[python]>=0.30,<2" "nbconvert>=7,<8"
# Documents keep their places, so that their links hold; what they link to goes with them.
git ls-files -z -- . ':!tests/fuzz/corpus' ':!agents/python/package/site' | xargs -0 cp --parents -t "$pages"
# Notebooks become pages with what is kept in them; that they still print it is tested with the package.
"$tools/bin/jupyter-nbconvert" --to markdown --log-level WARN "$pages/$package"/notebooks/*.ipynb
sed -i 's|(notebooks/\([a-z_]*\)\.ipynb)|(notebooks/\1.md)|g' "$pages/$package/README.md"
ln -s "$PWD/$package" "$place/package"
cp "$package/site/mkdocs.yml" "$place"
for module in maumau maumau.vectors maumau.game maumau.table maumau.zoo maumau.gymnasium maumau.evaluation maumau.benchmark maumau.net maumau.bots maumau.data \
    maumau.minari maumau.openspiel maumau.kit; do
    echo "::: $module"
done | sed '1i # Reference\n' >"$reference"
cd "$place"
# Not --quiet, which also silences --strict.
PATH=$tools/bin:$PATH NO_MKDOCS_2_WARNING=1 "$tools/bin/mkdocs" build --strict 2>"$place/log" || { grep -E "WARNING|ERROR|Aborted" "$place/log" >&2; exit 1; }
if grep -rnEo '<(script|img)[^>]* src="?https?://[^" >]*|<link[^>]* rel="?stylesheet"?[^>]* href="?https?://[^" >]*' --include=*.html site | head -5 | grep .; then
    echo "a page loads something over the network" >&2
    exit 1
fi
echo "$(find site -name '*.html' | wc -l) pages: $place/site/index.html"
