"""Options that several analysis commands share, and the errors they turn into plain words."""

import json
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from sessions.models import Study
from sessions.selectors import study_by_slug
from siturec.metrics.subsets import PartitionError
from siturec.protocol.vocabulary import CONDITIONS
from siturec.scene.load import SceneError
from siturec.trajectory import TrajectoryError


def add_scoring_options(parser: ArgumentParser) -> None:
    """``--format``, ``--scenes``, ``--partition``, ``--condition``, ``--scene`` and ``--mix-versions``."""
    parser.add_argument("--format", choices=("json", "csv", "latex"), default="json")
    parser.add_argument(
        "--scenes",
        type=_folder,
        default=settings.SCENES_DIR,
        help="folder of scene packs: catalogs, places and task banks come from there",
    )
    parser.add_argument(
        "--partition",
        type=Path,
        help="JSON file of task ids and subsets 0 to 3, instead of the task bank's own",
    )
    parser.add_argument("--condition", choices=CONDITIONS, help="only records of this condition")
    parser.add_argument("--scene", help="only records of this scene")
    parser.add_argument(
        "--mix-versions",
        action="store_true",
        help="take an assistant's versions together, and those of users, moderators and judges",
    )


def _folder(text: str) -> Path:
    path = Path(text)
    if not path.is_dir():
        # Else every scene would be unknown, and its metrics without a value.
        raise ArgumentTypeError(f"there is no folder {text}")
    return path


def study_named(slug: str) -> Study:
    """The study of this slug. Raises: CommandError that lists the studies there are."""
    study = study_by_slug(slug)
    if study is None:
        known = ", ".join(Study.objects.values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"there is no study {slug}; studies: {known}")
    return study


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn a faulty file into the command's own error: what, where, and a non-zero exit."""
    try:
        yield
    except (TrajectoryError, PartitionError) as error:
        raise CommandError(str(error)) from None
    except SceneError as error:
        raise CommandError("the scene pack cannot be used:\n" + str(error)) from None
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}") from None


def json_text(data: Mapping[str, Any]) -> str:
    """Indented JSON. Raises: ValueError for NaN or Infinity, which no result may hold."""
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)
