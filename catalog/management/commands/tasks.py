"""``manage.py tasks --scene S [--format jsonl]``: a scene's tasks with what their budgets rest on."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from catalog.selectors import UnknownScene, scene_pack
from siturec.scene.load import SceneError
from siturec.scene.schema import Product, Task


class Command(BaseCommand):
    """List tasks."""

    help = "List a scene's tasks; jsonl gives all that the budget rule needs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--scene", required=True)
        parser.add_argument("--format", choices=["text", "jsonl"], default="text")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            pack = scene_pack(options["scene"])
        except UnknownScene as error:
            raise CommandError(str(error)) from error
        except SceneError as error:
            raise CommandError("\n".join(error.faults)) from error
        products = {product.id: product for product in pack.products}
        for task in pack.tasks:
            if options["format"] == "jsonl":
                self.stdout.write(json.dumps(_line(pack.info.id, task, products[task.target_product])))
            else:
                self.stdout.write(f"{task.id}  {task.tier:<9} ${task.budget:g}  {task.goal}")


def _line(scene: str, task: Task, target: Product) -> dict[str, Any]:
    return {
        "scene": scene,
        "task_id": task.id,
        "profile_id": task.profile_id,
        "theme": task.theme,
        "goal": task.goal,
        "budget": task.budget,
        "tier": task.tier,
        "increment": task.increment,
        "target_product": target.id,
        "target_price": target.price,
        "eligible_prices": list(task.eligible_prices),
        "reference_items": list(task.reference_items),
        "needs": [need.model_dump(mode="json") for need in task.needs],
    }
