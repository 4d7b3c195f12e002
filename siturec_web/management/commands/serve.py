"""Serve the site: Daphne with pages and sockets, and the embedded stores it starts on demand."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from siturec_web.serving import CannotServe, check_migrated, free_port, serve


class Command(BaseCommand):
    """``manage.py serve [--host H] [--port P]``"""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, help="8000, or any free one, when left out")

    def handle(self, *args: Any, **options: Any) -> None:
        host = options["host"]
        try:
            check_migrated()
            port = free_port(host, options["port"])
        except CannotServe as error:
            raise CommandError(str(error)) from error
        serve(host, port, on_ready=lambda: self._ready(host, port))

    def _ready(self, host: str, port: int) -> None:
        self.stdout.write(f"SituRec Web is at http://{host}:{port}/ (stop with Ctrl-C)")
        self.stdout.flush()
