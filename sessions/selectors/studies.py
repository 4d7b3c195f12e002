"""Studies and their designs."""

from datetime import datetime

import yaml

from sessions.models import Seat, Study, StudyVersion
from siturec.protocol.study import StudyConfig


def study_by_slug(slug: str) -> Study | None:
    """The study of this slug, or None."""
    return Study.objects.filter(slug=slug).first()


def design_of(study: Study, version: int | None = None) -> StudyConfig:
    """The design of a version (None: the current one, opened or not)."""
    if version is None or (version == study.version and study.status == Study.Status.DRAFT):
        return study.design
    row = StudyVersion.objects.filter(study=study, number=version).first()
    return row.design if row is not None else study.design


def scene_version_of(study: Study, version: int | None = None) -> str | None:
    """The version of its scene that a version of a study plays, by default its current one.

    None: the scene's current version.
    """
    number = study.version if version is None else version
    row = StudyVersion.objects.filter(study=study, number=number).first()
    chosen = row.scene_version if row is not None else study.design.scene_version
    return chosen or None


def study_accepting(study: Study, *, now: datetime) -> str:
    """Why nobody new can take part now, in words for a visitor; empty when they can."""
    design = study.design
    if study.status == Study.Status.DRAFT:
        return "This study has not opened yet."
    if study.status == Study.Status.CLOSED or (design.closes_at is not None and now >= design.closes_at):
        return "This study is closed. Thank you for your interest."
    if study.paused:
        return "This study is paused. Please come back later."
    if design.opens_at is not None and now < design.opens_at:
        return f"This study opens at {design.opens_at:%Y-%m-%d %H:%M} UTC."
    free = Seat.objects.filter(
        study=study, version=study.version, rehearsal=False, status=Seat.Status.FREE
    ).exists()
    return "" if free else "All places in this study are taken."


def study_config_yaml(study: Study) -> str:
    """The design as a file that makes the same study again."""
    document = study.design.model_dump(mode="json")
    return str(yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=100))
