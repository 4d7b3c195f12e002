"""``manage.py render_previews SCENE``: take a picture of every product and target, for the admin."""

import asyncio
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from catalog.selectors import UnknownScene, scene_pack, scene_version
from catalog.services import previews_store
from simulator_bridge.pool import scene_folder
from simulator_bridge.store import Stores
from siturec.protocol.ports import WorldError
from siturec_web.previews import shots, take_all


class Command(BaseCommand):
    """Render previews."""

    help = "Take pictures of an imported scene's products and targets in the embedded store."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("scene")

    def handle(self, *args: Any, **options: Any) -> None:
        slug = options["scene"]
        try:
            version = scene_version(slug)
            pack = scene_pack(slug)
        except UnknownScene as error:
            raise CommandError(str(error)) from error
        if version is None:
            raise CommandError(f"{slug} is not imported yet: manage.py import_scene {slug}")
        stores = Stores()
        try:
            store = stores.ready_now(scene_folder(pack))
            taken = asyncio.run(take_all(store, list(shots(pack))))
        except WorldError as error:
            raise CommandError(f"the store could not be asked: {error}") from error
        finally:
            stores.stop()
        count = previews_store(
            version=version, pictures=((shot.kind, shot.code, image) for shot, image in taken)
        )
        self.stdout.write(f"{count} pictures of {version}")
