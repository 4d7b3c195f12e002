"""``manage.py check_scene SCENE [--format json]``: count what a scene holds and list its faults."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from catalog.selectors import UnknownScene, scene_folder, scene_pack, scene_version
from siturec.scene.check import check_pack
from siturec.scene.load import SceneError, load_pack
from siturec.scene.schema import ScenePack


class Command(BaseCommand):
    """Check a scene."""

    help = "Check a scene: the path of a pack's folder, or a slug (the imported scene, else its folder)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("scene")
        parser.add_argument("--format", choices=["text", "json"], default="text")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            pack = _pack(options["scene"])
            found: dict[str, Any] = {**_counts(pack), "faults": check_pack(pack)}
        except UnknownScene as error:
            raise CommandError(str(error)) from error
        except SceneError as error:
            found = {"faults": error.faults}
        if options["format"] == "json":
            self.stdout.write(json.dumps(found))
        else:
            for name, value in found.items():
                if name != "faults":
                    self.stdout.write(f"{name}: {value}")
            for fault in found["faults"]:
                self.stdout.write(fault)
        if found["faults"]:
            raise CommandError(f"{len(found['faults'])} faults")


def _pack(scene: str) -> ScenePack:
    if (Path(scene) / "scene.json").is_file():
        return load_pack(Path(scene))
    if scene_version(scene) is not None:
        return scene_pack(scene)
    return load_pack(scene_folder(scene))


def _counts(pack: ScenePack) -> dict[str, Any]:
    kinds = Counter(target.type for target in pack.targets if target.type is not None)
    counts: dict[str, Any] = {
        "products": len(pack.products),
        "instances": len(pack.instances),
        "targets": len(pack.targets),
    }
    if kinds:
        counts["fixtures"] = dict(kinds)
    else:
        counts |= {
            "stores": sum(target.kind == "store" for target in pack.targets),
            "areas": sum(target.kind == "area" for target in pack.targets),
        }
    return counts | {
        "waypoints": len(pack.waypoints),
        "profiles": len(pack.profiles),
        "tasks": len(pack.tasks),
    }
