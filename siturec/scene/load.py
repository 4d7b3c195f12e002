"""Reading a scene pack from its folder; every fault is named with file, row and field."""

from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from siturec.scene.schema import (
    Instance,
    Layout,
    Product,
    Profile,
    SceneInfo,
    ScenePack,
    Target,
    Task,
    Waypoint,
)
from siturec.strict_json import BadJSON, read_json

R = TypeVar("R", bound=BaseModel)


class SceneError(Exception):
    """A scene pack cannot be used; ``faults`` lists every reason, each naming file, row and field."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


def _read(path: Path, faults: list[str]) -> Any:
    try:
        return read_json(path.read_bytes())
    except FileNotFoundError:
        faults.append(f"{path.name}: the file is missing")
    except BadJSON as error:
        faults.append(f"{path.name}: {error}")
    return None


def _rows(path: Path, kind: type[R], faults: list[str], *, optional: bool = False) -> tuple[R, ...]:
    if optional and not path.exists():
        return ()
    raw = _read(path, faults)
    if raw is None:
        return ()
    if not isinstance(raw, list):
        faults.append(f"{path.name}: expected a list of rows")
        return ()
    rows: list[R] = []
    for number, row in enumerate(raw, start=1):
        record = parse_record(kind, row, where=f"{path.name} row {number}", faults=faults)
        if record is not None:
            rows.append(record)
    return tuple(rows)


def parse_record(kind: type[R], raw: Any, *, where: str, faults: list[str]) -> R | None:
    """Validate one record; on failure append one line per wrong field to ``faults`` and return None."""
    try:
        return kind.model_validate(raw)
    except ValidationError as error:
        for problem in error.errors():
            field = ".".join(str(part) for part in problem["loc"]) or "(row)"
            faults.append(f"{where}, {field}: {problem['msg']}")
    return None


def load_pack(folder: Path) -> ScenePack:
    """Load a pack's folder.

    Raises: SceneError listing every unreadable file and every invalid field. Cross-references and
    geometry are the business of ``siturec.scene.check``.
    """
    faults: list[str] = []
    info_raw = _read(folder / "scene.json", faults)
    layout_raw = _read(folder / "layout.json", faults)
    info = None if info_raw is None else parse_record(SceneInfo, info_raw, where="scene.json", faults=faults)
    layout = (
        None if layout_raw is None else parse_record(Layout, layout_raw, where="layout.json", faults=faults)
    )
    products = _rows(folder / "products.json", Product, faults)
    targets = _rows(folder / "targets.json", Target, faults)
    waypoints = _rows(folder / "waypoints.json", Waypoint, faults)
    instances = _rows(folder / "instances.json", Instance, faults)
    profiles = _rows(folder / "profiles.json", Profile, faults, optional=True)
    tasks = _rows(folder / "tasks.json", Task, faults, optional=True)
    if faults or info is None or layout is None:
        raise SceneError(faults)
    return ScenePack(
        info=info,
        layout=layout,
        products=products,
        targets=targets,
        waypoints=waypoints,
        instances=instances,
        profiles=profiles,
        tasks=tasks,
    )
