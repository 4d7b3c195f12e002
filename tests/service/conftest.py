"""PostgreSQL for tests that start processes of their own: each database a copy of one with all tables."""

import os
import socket
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from storefront.render_places import cache_root

ROOT = Path(__file__).resolve().parent.parent.parent
POSTGRES = "postgres://postgres@127.0.0.1:5432"
Environment = dict[str, str]


def answers(port: int) -> bool:
    """Whether something listens there."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def manage(environment: Environment, *arguments: object) -> str:
    """Run a management command; its output, or a failure that shows it."""
    command = [sys.executable, "manage.py", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@contextmanager
def database(template: str = "template1") -> Iterator[str]:
    """A PostgreSQL database of one's own, a copy of another, dropped afterwards; its name."""
    name = f"siturec_test_{uuid.uuid4().hex[:8]}"
    with psycopg.connect(f"{POSTGRES}/postgres", autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        try:
            yield name
        finally:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def site_on(name: str, var: Path) -> Environment:
    """The environment of a site on that database.

    Only what stores have worked out before (kernels, baked light) is shared with other runs.
    """
    kept = cache_root()
    kept.mkdir(parents=True, exist_ok=True)
    (var / "storefront").symlink_to(kept)
    environment = {
        **os.environ,
        "DATABASE_URL": f"{POSTGRES}/{name}",
        "DJANGO_SETTINGS_MODULE": "siturec_web.settings.dev",
        "SITUREC_VAR": str(var),
        "PYTHONPATH": str(ROOT),
    }
    environment.pop("SITUREC_TEST_DIR", None)
    return environment


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A database with every table and no row, to be copied."""
    if not answers(5432):
        pytest.skip("no PostgreSQL answers on 127.0.0.1:5432")
    with database() as name:
        manage(site_on(name, tmp_path_factory.mktemp("migrated")), "migrate", "-v0")
        yield name


@pytest.fixture(scope="module")
def postgres(migrated: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Environment]:
    """The environment of a site on a PostgreSQL database of this module's own."""
    with database(migrated) as name:
        yield site_on(name, tmp_path_factory.mktemp("site"))
