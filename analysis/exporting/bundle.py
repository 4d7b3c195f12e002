"""The study bundle: config, data, scene and analysis, from which every number can be computed again."""

import hashlib
import platform
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from django.conf import settings

from analysis.exporting import rows
from analysis.exporting.parts import MANIFEST, Part
from analysis.exporting.study import codebook_part, table_part
from analysis.exporting.writers import write_trajectories
from analysis.files import facts_in, ledger_of_file
from analysis.filters import Filters
from analysis.models import AnalysisPlan
from analysis.results import agreement_json, both_reports
from analysis.selectors.plans import plans_of
from analysis.services.results import planted, study_results
from catalog.selectors import UnknownScene, scene_pack
from sessions.models import Study
from sessions.selectors import study_config_yaml
from siturec.metrics.ledger import Ledger
from siturec.metrics.registry import SCORING_VERSION
from siturec.metrics.scoring import bank_partition, score_table
from siturec.metrics.versions import kept_apart
from siturec.scene.dump import dump_pack
from siturec.strict_json import BadJSON, read_json

PEOPLE, SIMULATED, RESULTS, BUNDLE = "people.jsonl", "simulated.jsonl", "results.json", "bundle.json"
RECOMPUTED = ("people", "simulated", "agreement")
TOLERANCE = 1e-9
CORE = Path(__file__).resolve().parent.parent.parent / "siturec"


class BundleError(Exception):
    """A bundle cannot be read; the message names the file and what is wrong with it."""


def bundle_parts(study: Study) -> Iterator[Part]:
    """The bundle's files, the results first: what they were computed from is read after them."""
    results = study_results(study=study, filters=Filters())
    yield Part.of(RESULTS, _json({name: results[name] for name in RECOMPUTED}))
    for name, episodes in ((PEOPLE, Filters().human(study)), (SIMULATED, Filters().simulated(study))):
        yield Part(name, partial(write_trajectories, rows.trajectories(episodes), ()))
    yield Part.of("study.yaml", study_config_yaml(study).encode())
    yield codebook_part()
    for what in ("wide", "long", "model_calls", "calls"):
        for form in ("csv", "parquet"):
            yield table_part(study, what, form)
    bad, twins = planted(study.design)
    body = {
        "schema": "siturec.bundle/1",
        "study": study.slug,
        "condition": results["condition"],
        "bad": list(bad),
        "twins": dict(twins),
        "plans": [_plan(plan) for plan in plans_of(study)],
        "made_with": software(),
    }
    yield Part.of(BUNDLE, _json(body))
    yield from _scenes(study)


def _plan(plan: AnalysisPlan) -> dict[str, Any]:
    return {
        "document": plan.document,
        "sha256": plan.digest,
        "registered_at": rows.stamp(plan.registered_at),
        "episodes_before": plan.episodes_before,
    }


def _scenes(study: Study) -> Iterator[Part]:
    slugs = set(study.episodes.values_list("scene", flat=True)) | {study.design.scene}
    for slug in sorted(slugs):
        try:
            pack = scene_pack(slug, _version_played(study, slug))
        except UnknownScene:
            continue
        for name, content in sorted(dump_pack(pack).items()):
            yield Part.of(f"scenes/{slug}/{name}", content)


def _version_played(study: Study, slug: str) -> str | None:
    """The scene's version that most episodes were played in, of equals the first; None: the current one."""
    played = Counter(study.episodes.filter(scene=slug).values_list("scene_version", flat=True))
    del played[""]
    return min(played, key=lambda version: (-played[version], version), default=None)


def software() -> dict[str, str]:
    """What computed the numbers: versions, and a hash over the code that defines them."""
    return {
        "siturec_web": str(settings.SPECTACULAR_SETTINGS["VERSION"]),
        "scoring_version": SCORING_VERSION,
        "code_sha256": code_digest(),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


def code_digest() -> str:
    """SHA-256 over the sources of the metrics and of the agreement."""
    digest = hashlib.sha256()
    for part in ("metrics", "agreement"):
        for path in sorted((CORE / part).glob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def check_files(folder: Path) -> list[str]:
    """What is wrong with the files, by the manifest: missing, short, changed, or not listed.

    Raises: BundleError when there is no manifest that can be read.
    """
    files = _read(folder / MANIFEST).get("files")
    if not isinstance(files, dict):
        raise BundleError(f"{MANIFEST}: it lists no files")
    faults: list[str] = []
    for name, listed in files.items():
        path = folder / name
        if not path.resolve().is_relative_to(folder.resolve()) or not path.is_file():
            faults.append(f"{name}: the file is missing")
            continue
        size = path.stat().st_size
        if size != listed["bytes"]:
            faults.append(f"{name}: {size} bytes where the manifest says {listed['bytes']}")
        elif _sha256(path) != listed["sha256"]:
            faults.append(f"{name}: its content is not what the manifest says (SHA-256)")
    present = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    faults += [f"{name}: not in the manifest" for name in sorted(present - set(files) - {MANIFEST})]
    return faults


def recompute(folder: Path) -> dict[str, Any]:
    """Every result again, from the bundle's own records and scenes, with this machine's code.

    Raises: BundleError, OSError, TrajectoryError, SceneError.
    """
    about = _read(folder / BUNDLE)
    facts_of = facts_in(folder / "scenes")
    human, simulated = (
        ledger_of_file(folder / name, facts_of) if (folder / name).stat().st_size else Ledger()
        for name in (PEOPLE, SIMULATED)
    )
    human, simulated, _ = kept_apart(human, simulated)
    subset_of = bank_partition(simulated, facts_of) if simulated.cells else None
    condition = about["condition"]
    alike = [ledger.where(lambda key: key.condition == condition) for ledger in (human, simulated)]
    reports = both_reports(alike[0], alike[1], subset_of)
    return {
        "people": score_table(human, facts_of, None, shown=alike[0]),
        "simulated": score_table(simulated, facts_of, subset_of, shown=alike[1]),
        "agreement": agreement_json(reports, *alike, bad=tuple(about["bad"]), twins=about["twins"]),
    }


def differences(stored: Any, computed: Any, where: str = "") -> list[str]:
    """Where two results differ, by key; sums taken in another order may differ by 1e-9 of their size."""
    if isinstance(stored, Mapping) and isinstance(computed, Mapping):
        found: list[str] = []
        for key in sorted(set(stored) | set(computed), key=str):
            here = f"{where}.{key}" if where else str(key)
            if key not in stored or key not in computed:
                found.append(f"{here}: only in the {'bundle' if key in stored else 'new results'}")
            else:
                found += differences(stored[key], computed[key], here)
        return found
    if isinstance(stored, list) and isinstance(computed, list | tuple) and len(stored) == len(computed):
        pairs = enumerate(zip(stored, computed, strict=True))
        return [line for at, (one, other) in pairs for line in differences(one, other, f"{where}[{at}]")]
    if _number(stored) and _number(computed):
        near = abs(stored - computed) <= TOLERANCE * max(1.0, abs(stored), abs(computed))
        return [] if near else [f"{where}: {stored!r} in the bundle, {computed!r} now"]
    return [] if stored == computed else [f"{where}: {stored!r} in the bundle, {computed!r} now"]


def stored_results(folder: Path) -> dict[str, Any]:
    """The results as the bundle has them. Raises: BundleError."""
    return _read(folder / RESULTS)


def made_with(folder: Path) -> dict[str, str]:
    """The software that made the bundle. Raises: BundleError."""
    found = _read(folder / BUNDLE).get("made_with", {})
    return {str(name): str(value) for name, value in found.items()}


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _read(path: Path) -> dict[str, Any]:
    try:
        body = read_json(path.read_bytes())
    except FileNotFoundError:
        raise BundleError(f"{path.name}: the file is missing") from None
    except BadJSON as error:
        raise BundleError(f"{path.name}: {error}") from None
    if not isinstance(body, dict):
        raise BundleError(f"{path.name}: expected an object")
    return body


def _json(body: Any) -> bytes:
    return orjson.dumps(body, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
