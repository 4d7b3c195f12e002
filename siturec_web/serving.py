"""Running the site in one process: Daphne, the embedded stores, and a broom that runs now and then."""

import logging
import socket
import threading
from collections.abc import Callable

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from play.worlds import stores_start
from sessions.models import Study
from sessions.selectors.studies import scene_version_of
from sessions.services.seats import episodes_abandon_stale, seats_release_stale
from siturec.protocol.ports import WorldUnavailable

logger = logging.getLogger(__name__)
SWEEP_S = 60.0


class CannotServe(Exception):
    """What is missing, and what to do about it."""


def free_port(host: str, wanted: int | None) -> int:
    """The wanted port, or 8000, or any that is free. Raises: CannotServe when the wanted one is taken."""
    if wanted is not None:
        if not _is_free(host, wanted):
            raise CannotServe(f"Port {wanted} on {host} is taken. Choose another, or leave --port out.")
        return wanted
    if _is_free(host, 8000):
        return 8000
    with socket.socket() as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])


def _is_free(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def check_migrated() -> None:
    """Raises: CannotServe when the database cannot be reached or lacks tables."""
    try:
        executor = MigrationExecutor(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        raise CannotServe(f"The database cannot be reached: {error}. Check DATABASE_URL.") from error
    if plan:
        raise CannotServe("The database is not up to date: run `manage.py migrate` first.")


def sweep() -> None:
    """Abandon what nobody came back to, and deal the seats of people who are gone again."""
    now = timezone.now()
    for study in Study.objects.exclude(status=Study.Status.DRAFT):
        episodes_abandon_stale(study=study, now=now)
        seats_release_stale(study=study, now=now)


def keep_sweeping(stop: threading.Event) -> None:
    """Sweep every minute until told to stop; a database that is away for a while is tried again."""
    while not stop.wait(SWEEP_S):
        try:
            sweep()
        except DatabaseError as error:
            logger.warning("sweeping is put off: %s", error)
        finally:
            connection.close()


def open_stores() -> None:
    """Start the stores of open studies, so that the first participant does not wait for one."""
    going = Study.objects.filter(status=Study.Status.OPEN)
    scenes = {(study.design.scene, scene_version_of(study)) for study in going}
    try:
        stores_start(scenes)
    except (WorldUnavailable, LookupError) as error:
        logger.error("a store cannot be started: %s", error)
    finally:
        connection.close()


def serve(host: str, port: int, *, on_ready: Callable[[], None]) -> None:
    """Serve until interrupted. ``on_ready`` is called once the port answers."""
    from daphne.endpoints import build_endpoint_description_strings
    from daphne.server import Server

    from siturec_web.asgi import application

    stop = threading.Event()
    threading.Thread(target=keep_sweeping, args=(stop,), name="sweep", daemon=True).start()
    threading.Thread(target=open_stores, name="stores", daemon=True).start()
    server = Server(
        application=application,
        endpoints=build_endpoint_description_strings(host=host, port=port),
        ready_callable=on_ready,
        server_name="siturec",
        application_close_timeout=5,
        websocket_timeout=-1,
    )
    try:
        server.run()
    finally:
        stop.set()
