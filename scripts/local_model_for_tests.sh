#!/usr/bin/env bash
# The tests of the real local model need a runtime and a model, 525 MB fetched once. Fetch them where that is possible;
# where it is not, say so and fail: the rest of the suite runs all the same. LOCAL_MODEL=no: do not even try.
set -uo pipefail
limit="${LOCAL_MODEL_SECONDS:-240}"

if [ "${LOCAL_MODEL:-}" = no ]; then
  echo "LOCAL_MODEL=no: the tests of the real local model will be SKIPPED; all others run."
  exit 1
fi
if ! PIP_RETRIES=2 timeout "$limit" bash scripts/need_local_model.sh 0.5b; then
  echo "The real local model cannot be had here (the reason is above): its tests will be SKIPPED; all others run." >&2
  exit 1
fi
