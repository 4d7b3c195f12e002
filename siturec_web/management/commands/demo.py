"""Set up a demo study, let a few simulated users play it, and serve it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from rich.console import Console

from sessions.errors import StudyError
from siturec.protocol.ports import WorldUnavailable
from siturec_web.demo import SLUG, prepare
from siturec_web.serving import CannotServe, free_port, serve


class Command(BaseCommand):
    """``manage.py demo [--host H] [--port P] [--no-serve]``"""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, help="8000, or any free one, when left out")
        parser.add_argument("--no-serve", action="store_true", help="prepare only")

    def handle(self, *args: Any, **options: Any) -> None:
        host = options["host"]
        console = Console(stderr=True)
        try:
            port = free_port(host, options["port"])
            password = prepare(console)
        except (CannotServe, StudyError) as error:
            raise CommandError(str(error)) from error
        except WorldUnavailable as error:
            raise CommandError(f"The store cannot be started. {error}") from error
        except DatabaseError as error:
            raise CommandError(f"The database cannot be used: {error}. Check DATABASE_URL.") from error
        if options["no_serve"]:
            self.stdout.write("Ready. Serve it with: manage.py serve")
            return
        serve(host, port, on_ready=lambda: self._links(f"http://{host}:{port}", password))

    def _links(self, base: str, password: str) -> None:
        sign_in = f"user admin, password {password}" if password else "user admin, your own password"
        self.stdout.write(
            "\n".join(
                [
                    "",
                    f"  Take part   {base}/s/{SLUG}/",
                    f"  Results     {base}/research/studies/{SLUG}/results/   ({sign_in})",
                    f"  Admin       {base}/admin/   ({sign_in})",
                    "",
                    "  Stop with Ctrl-C; `make demo` goes on with the same data.",
                    "",
                ]
            )
        )
        self.stdout.flush()
