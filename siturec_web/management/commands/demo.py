"""Set up a demo study, let a few simulated users play it, and serve it."""

from argparse import ArgumentParser
from contextlib import nullcontext
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from rich.console import Console

from agents.local_model import BUILDS
from agents.selectors import BadOptions
from sessions.errors import StudyError
from siturec.protocol.ports import WorldUnavailable
from siturec_web.demo import prepare
from siturec_web.demo_model import local_model
from siturec_web.serving import CannotServe, free_port, serve


class Command(BaseCommand):
    """``manage.py demo [--host H] [--port P] [--no-serve] [--local-model SIZE]``

    With ``SITUREC_MODEL`` (and ``SITUREC_MODEL_API_BASE``) set, that model is among the assistants.
    """

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, help="8000, or any free one, when left out")
        parser.add_argument("--no-serve", action="store_true", help="prepare only")
        parser.add_argument(
            "--local-model", choices=sorted(BUILDS), help="serve this small model and let it take part"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        console = Console(stderr=True)
        size = options["local_model"]
        try:
            with local_model(size, console) if size else nullcontext():
                self._run(console, options)
        except (CannotServe, StudyError, BadOptions) as error:
            raise CommandError(str(error)) from error
        except WorldUnavailable as error:
            raise CommandError(f"The store cannot be started. {error}") from error
        except DatabaseError as error:
            raise CommandError(f"The database cannot be used: {error}. Check DATABASE_URL.") from error

    def _run(self, console: Console, options: dict[str, Any]) -> None:
        host = options["host"]
        port = free_port(host, options["port"])
        study, password = prepare(console)
        if options["no_serve"]:
            self.stdout.write("Ready. Serve it with: manage.py serve")
            return
        serve(host, port, on_ready=lambda: self._links(f"http://{host}:{port}", study.slug, password))

    def _links(self, base: str, slug: str, password: str) -> None:
        sign_in = f"user admin, password {password}" if password else "user admin, your own password"
        self.stdout.write(
            "\n".join(
                [
                    "",
                    f"  Take part   {base}/s/{slug}/",
                    f"  Results     {base}/research/studies/{slug}/results/   ({sign_in})",
                    f"  Admin       {base}/admin/   ({sign_in})",
                    "",
                    "  Stop with Ctrl-C; `make demo` goes on with the same data.",
                    "",
                ]
            )
        )
        self.stdout.flush()
