"""The demo's language model: a local one served beside the site, or whichever the settings name."""

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from rich.console import Console

from agents.local_model import model_file
from siturec_web.serving import CannotServe

ROOT = Path(__file__).resolve().parent.parent
RUNTIME = "xllamacpp"
_SETTING = re.compile(r"(SITUREC_MODEL\w*)=(?:'([^']*)'|(\S+))")


@contextmanager
def local_model(size: str, console: Console) -> Iterator[None]:
    """Serve the local model in a process of its own, and point this process's settings at it.

    The server ends with the context, or with this process however that ends.
    Raises: CannotServe naming what to install or fetch, or what the server said.
    """
    if importlib.util.find_spec(RUNTIME) is None:
        raise CannotServe("The local model needs its runtime: pip install 'siturec-web[localllm]'.")
    if model_file(size) is None:
        raise CannotServe(f"The model is not here: python scripts/fetch_local_model.py --size {size}")
    command = [sys.executable, "manage.py", "serve_local_llm", "--size", size]
    command += ["--port", "0", "--leave-with-parent"]
    with subprocess.Popen(  # noqa: S603 - our own words only
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            with console.status("Loading the local model ..."):
                ready, given = _told(process)
            console.print(ready)
            _point_at(given)
            yield
        finally:
            process.terminate()


def _told(process: "subprocess.Popen[str]") -> tuple[str, dict[str, str]]:
    """The server's line on being ready, and the settings that point at it. Raises: CannotServe."""
    if process.stdout is None:
        raise CannotServe("The local model's server has no output to read.")
    ready, told = process.stdout.readline().strip(), process.stdout.readline()
    given = {name: quoted or plain for name, quoted, plain in _SETTING.findall(told)}
    if "SITUREC_MODEL_API_BASE" not in given:
        raise CannotServe("The local model's server did not start; try: python manage.py serve_local_llm")
    return ready, given


def _point_at(given: dict[str, str]) -> None:
    """Set what the environment would have set, here and for processes started from here."""
    for name, value in given.items():
        os.environ[name] = value
        setattr(settings, name, value)
