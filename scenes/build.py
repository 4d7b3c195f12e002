"""Build a scene pack from its seed: ``python scenes/build.py SCENE --seed N [--out FOLDER] [--scale K]``."""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scenes.generator.recipes import RECIPES, Order  # noqa: E402
from siturec.scene.dump import write_pack  # noqa: E402


def main() -> None:
    """Read the arguments, build, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scene", choices=sorted(RECIPES))
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--out", type=Path, help="the folder to write (default: scenes/SCENE)")
    parser.add_argument("--scale", type=int, default=1, help="how many times the usual size")
    parser.add_argument("--products", type=int, help="how many products, instead of scale times the usual")
    parser.add_argument("--instances", type=int, help="how many instances, likewise")
    parser.add_argument("--profiles", type=int, help="how many shoppers, likewise (four tasks each)")
    chosen = parser.parse_args()
    order = Order(
        seed=chosen.seed,
        scale=chosen.scale,
        products=chosen.products,
        instances=chosen.instances,
        profiles=chosen.profiles,
    )
    folder: Path = chosen.out or ROOT / "scenes" / chosen.scene
    pack = RECIPES[chosen.scene](order)
    write_pack(pack, folder)
    sys.stdout.write(
        f"{folder}: {len(pack.products)} products, {len(pack.instances)} instances, "
        f"{len(pack.targets)} targets, {len(pack.waypoints)} waypoints, "
        f"{len(pack.profiles)} profiles, {len(pack.tasks)} tasks\n"
    )


if __name__ == "__main__":
    main()
