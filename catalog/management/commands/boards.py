"""``manage.py boards TYPE``: where the boards of a fixture are, for those who place goods by hand."""

from typing import Any, get_args

from django.core.management.base import BaseCommand, CommandParser

from siturec.scene.fixtures import Form, boards
from siturec.scene.schema import FixtureType, Rect


class Command(BaseCommand):
    """List boards."""

    help = "Tell the boards of a fixture of a type and size: height, free height above, length and depth."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("type", choices=get_args(FixtureType))
        parser.add_argument("--length", type=float, required=True, help="metres along its front")
        parser.add_argument("--depth", type=float, required=True, help="metres from front to back")
        parser.add_argument("--height", type=float, required=True, help="metres")
        parser.add_argument("--double", action="store_true", help="open at the back too")

    def handle(self, *args: Any, **options: Any) -> None:
        rect = Rect(x0=0, y0=0, x1=options["depth"], y1=options["length"])
        form = Form(options["type"], rect, options["height"], 0.0, options["double"])
        for board in boards(form):
            self.stdout.write(
                f"{form.type}, {board.side}: board {board.level} at {board.z_m:.3f} m, "
                f"free above {board.clear_m:.3f} m, {board.across_m:.3f} x {board.depth_m:.3f} m"
            )
