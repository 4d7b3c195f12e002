"""``serve_local_llm``: an OpenAI-compatible server for the small local model, until it is stopped."""

import importlib
import os
import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from agents.local_model import BUILDS, model_file

OPTIONS = '{"vision": false, "catalog_limit": 8, "timeout_s": 180, "max_tokens": 500, "concurrency": 1}'


class Command(BaseCommand):
    """Serve the local model on 127.0.0.1. Needs the extra ``localllm`` and scripts/fetch_local_model.py."""

    help = "Serve the small local model on 127.0.0.1; prints the settings that point the site at it."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Which model, where, and how much of the machine."""
        parser.add_argument("--size", choices=sorted(BUILDS), default="0.5b")
        parser.add_argument("--port", type=int, default=8093, help="0 takes a free one")
        parser.add_argument("--threads", type=int, default=2)
        parser.add_argument(
            "--leave-with-parent", action="store_true", help="stop when standard input is closed"
        )
        parser.add_argument("--context", type=int, default=8192, help="in tokens")

    def handle(self, *args: Any, **options: Any) -> None:
        """Load, print one line when ready, and serve until SIGTERM or Ctrl+C."""
        size = options["size"]
        path = model_file(size)
        if path is None:
            raise CommandError(
                f"The model is not here; fetch it: python scripts/fetch_local_model.py --size {size}"
            )
        # Threads that spin while they wait make a busy machine look hung.
        os.environ.setdefault("GOMP_SPINCOUNT", "0")
        try:
            xllamacpp = importlib.import_module("xllamacpp")
        except ImportError:
            raise CommandError("xllamacpp is not installed: pip install 'siturec-web[localllm]'") from None
        server = self._start(xllamacpp, str(path), f"qwen-coder-{size}", options)
        base = f"{server.listening_address}/v1"
        self.stdout.write(f"local model qwen-coder-{size} listening on {base}")
        self.stdout.write(
            f"SITUREC_MODEL=openai/qwen-coder-{size} SITUREC_MODEL_API_BASE={base} "
            f"SITUREC_MODEL_OPTIONS='{OPTIONS}'"
        )
        self.stdout.flush()
        stopped = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stopped.set())
        if options["leave_with_parent"]:
            threading.Thread(target=_leave_with_parent, args=(stopped,), daemon=True).start()
        stopped.wait()

    def _start(self, xllamacpp: Any, path: str, name: str, options: dict[str, Any]) -> Any:
        params = xllamacpp.CommonParams()
        params.model.path = path
        params.hostnames = ["127.0.0.1"]
        params.port = options["port"]
        params.n_ctx = options["context"]
        params.n_parallel = 1
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = options["threads"]
        params.model_alias = {name}
        params.verbosity = 0
        return xllamacpp.Server(params)


def _leave_with_parent(stopped: threading.Event) -> None:
    """Whoever started this holds the other end of standard input, which closes however they end."""
    while os.read(0, 4096):
        pass
    stopped.set()
