#!/usr/bin/env bash
# Make .venv with everything development needs, out of pinned versions. Says plainly what is missing.
set -euo pipefail
python="${1:-python3}"

fail() { printf 'setup: %s\n' "$1" >&2; exit 1; }

command -v "$python" > /dev/null || fail "no '$python' here. Install Python 3.11 (Debian: apt install python3 python3-venv), or say PYTHON=/path/to/python3.11."
"$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 12))' \
  || fail "$("$python" --version) is not supported; Python 3.11 or 3.12 is needed (say PYTHON=/path/to/python3.11)."
"$python" -c 'import ensurepip, venv' 2> /dev/null || fail "Python's venv module is missing (Debian: apt install python3-venv)."

[ -x .venv/bin/python ] || { echo "Making .venv with $("$python" --version) ..."; "$python" -m venv .venv; }
echo "Installing pinned packages (about 1.5 GB with the development tools; one to three minutes) ..."
export PIP_DISABLE_PIP_VERSION_CHECK=1
.venv/bin/python -m pip install --quiet --requirement requirements.lock \
  || fail "pip could not install requirements.lock; is a package index reachable from here? (pip's own message is above)"
.venv/bin/python -m pip install --quiet --no-deps --requirement requirements-nodeps.lock \
  || fail "pip could not install requirements-nodeps.lock (pip's own message is above)"
echo "The environment is ready."
