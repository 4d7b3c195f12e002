#!/usr/bin/env bash
# The browser tests drive Debian's Chromium. Install it where we may; else say what to do.
set -euo pipefail
command -v chromium > /dev/null && exit 0

sudo=""
if [ "$(id -u)" != 0 ]; then
  if command -v sudo > /dev/null && sudo -n true 2> /dev/null; then sudo="sudo"; else sudo="none"; fi
fi
if [ "$sudo" != none ] && command -v apt-get > /dev/null; then
  echo "Installing chromium for the browser tests ..."
  $sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq chromium fonts-dejavu-core > /dev/null && exit 0
fi
echo "Chromium is missing and could not be installed from here; the browser tests need it." >&2
echo "Install it (Debian: apt install chromium), or run the other tests: .venv/bin/python -m pytest -m 'not browser'" >&2
exit 1
