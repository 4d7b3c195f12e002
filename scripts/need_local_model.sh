#!/usr/bin/env bash
# What the real local model needs beyond `make setup`: a runtime (34 MB) and a small model (491 MB), each fetched once.
set -euo pipefail
size="${1:-0.5b}"
runtime="xllamacpp==2026.10.11549"   # the extra "localllm" of pyproject.toml

fail() { printf 'local model: %s\n' "$1" >&2; exit 1; }

if ! .venv/bin/python -c 'import xllamacpp' 2> /dev/null; then
  echo "Installing the optional runtime into .venv: pip install $runtime ..."
  .venv/bin/python -m pip install --quiet --disable-pip-version-check "$runtime" \
    || fail "$runtime could not be installed (pip's own message is above). Any OpenAI-compatible server does as well: SITUREC_MODEL=openai/NAME SITUREC_MODEL_API_BASE=http://... make demo"
fi
.venv/bin/python scripts/fetch_local_model.py --size "$size"
