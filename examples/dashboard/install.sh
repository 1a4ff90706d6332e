#!/usr/bin/env bash
# Installs the application in a folder with the package of this checkout, packed as others get it: install.sh FOLDER
#
# The lock file names every package but this one, whose archive is another after each build. UPDATE_LOCK=1 writes it.
set -euo pipefail
mkdir -p "$1"
folder=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")"

# What it removes is to be an installation of its own, and nobody's sources.
if [ -n "$(ls -A "$folder")" ] && [ ! -e "$folder/.installed" ]; then
  echo "$folder has files that are not of an installation: name a folder that is empty or not there yet" >&2
  exit 1
fi
touch "$folder/.installed"
rm -rf "$folder"/{src,server,test,bench,examples}
rm -f "$folder"/trellis-policy*.tgz
cp -R . "$folder"
mkdir "$folder/examples"
cp ../*.yaml "$folder/examples"
(cd ../.. && npm pack --silent --workspace web --pack-destination "$folder" > /dev/null)
mv "$folder"/trellis-policy-*.tgz "$folder/trellis-policy.tgz"
(cd "$folder" && ./yarn.sh install)

others=$(awk 'BEGIN { RS = ""; ORS = "\n\n" } !/^"trellis-policy@/' "$folder/yarn.lock")
if [ -n "${UPDATE_LOCK:-}" ]; then
  echo "$others" > yarn.lock
elif [ "$others" != "$(cat yarn.lock)" ]; then
  echo "examples/dashboard/yarn.lock does not name what package.json asks for: UPDATE_LOCK=1 writes it" >&2
  exit 1
fi
