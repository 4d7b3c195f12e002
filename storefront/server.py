"""The store as a TCP server: any number of clients, each with a shopper of its own in one shared store."""

import asyncio
import errno
import ipaddress
import logging
import os
import socket
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from siturec.scene.load import load_pack
from storefront import commands_blueprint, commands_camera, commands_objects, commands_plugin, commands_spawn
from storefront.commands import Command, CommandTable, Reply
from storefront.render import StoreWorld
from storefront.server_connection import Connection
from storefront.server_painting import Studio
from storefront.server_pool import FairPool
from storefront.shopper import Shopper, Site
from storefront.shopper_capture import CaptureFolder
from storefront.shopper_scene import Store

logger = logging.getLogger(__name__)


class CannotStart(Exception):
    """The server cannot start; the message says why and what to do."""


@dataclass(frozen=True)
class Options:
    """How a store is served.

    ``port`` 0 takes any free one. ``threads`` None takes one per core. ``captures`` None makes a folder that
    lasts as long as the server.
    """

    scene: Path
    host: str = "127.0.0.1"
    port: int = 0
    cache: Path | None = None
    threads: int | None = None
    captures: Path | None = None
    most_connections: int = 1024


def build_commands() -> CommandTable:
    """All commands, and the two that list them."""
    table = CommandTable()
    for part in (commands_plugin, commands_camera, commands_objects, commands_spawn, commands_blueprint):
        table.extend(part.table)

    @table.add("vget /unrealcv/help", "Every command with a line of help")
    def show_help(shopper: Shopper) -> Reply:
        return "".join(f"{c.template}\n{c.summary}\n" for c in _once(table.commands))

    @table.add("vget /unrealcv/commands", "Every command, one a line")
    def list_commands(shopper: Shopper) -> Reply:
        return "\n".join([c.template for c in _once(table.commands)] + ["vbatch [uint]"])

    return table


def _once(commands: list[Command]) -> list[Command]:
    return list({command.template: command for command in commands}.values())


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class StoreServer:
    """A store that listens. Use as an asynchronous context manager.

    Raises on entering: CannotStart; siturec.scene.load.SceneError for a faulty pack.
    """

    def __init__(self, options: Options) -> None:
        self.options = options
        self.table = build_commands()
        self.connections: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "StoreServer":
        async with AsyncExitStack() as opened:
            await self._open(opened)
            self._opened = opened.pop_all()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._opened.aclose()

    async def _open(self, opened: AsyncExitStack) -> None:
        """Open everything, leaving in ``opened`` what is to be closed again."""
        options = self.options
        listener = self._bind()
        opened.callback(listener.close)
        pack = load_pack(options.scene)
        self.store = Store(pack, StoreWorld.load(pack, options.cache))
        workers = options.threads or os.cpu_count() or 1
        self.pool = FairPool(workers)
        opened.callback(self.pool.close)
        self.studio = Studio(self.store.world, frames_kept=2 * workers + 4)
        self._large = asyncio.Lock()
        folder = options.captures
        if folder is None:
            folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="storefront-")))
        folder.mkdir(parents=True, exist_ok=True)
        self.port: int = listener.getsockname()[1]
        self.site = Site(self.port, CaptureFolder(folder), local=is_loopback(options.host))
        await asyncio.to_thread(self._warm_walking)
        await self.pool.run_everywhere(self._warm_painting)
        try:
            server = await asyncio.start_server(self._welcome, sock=listener, limit=1 << 18, backlog=512)
        except OSError as refused:
            raise CannotStart(f"can not listen on {options.host}:{self.port}: {refused}") from None
        opened.push_async_callback(self._close, server)

    async def _close(self, server: asyncio.Server) -> None:
        server.close()
        for task in self.connections:
            task.cancel()
        await asyncio.gather(*self.connections, return_exceptions=True)
        await server.wait_closed()

    def _bind(self) -> socket.socket:
        host, port = self.options.host, self.options.port
        listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, port))
        except (OSError, OverflowError) as refused:
            listener.close()
            if isinstance(refused, OSError) and refused.errno == errno.EADDRINUSE:
                raise CannotStart(
                    f"port {port} on {host} is in use by another program; give --port 0 for a free one"
                ) from None
            raise CannotStart(f"can not listen on {host}:{port}: {refused}") from None
        return listener

    def _warm_walking(self) -> None:
        """Walk a little, so that no client pays for compiling."""
        body = Shopper(self.store, self.site, time.monotonic).body
        body.walk_to(0.0, 0.0, 0.0)
        body.walk(0.0, 1.0, 0.0)
        body.finish(0.0)

    def _warm_painting(self) -> None:
        """Paint once on each thread, so that no client pays for compiling."""
        shopper = Shopper(self.store, self.site, time.monotonic)
        camera = shopper.cameras[0]
        self.studio.pictures(
            [shopper.capture(camera, "lit", "bmp"), shopper.capture(camera, "normal", "bmp")]
        )

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None or len(self.connections) >= self.options.most_connections:
            logger.warning("refused a client: %d are served already", len(self.connections))
            writer.close()
            return
        self.connections.add(task)
        connected: socket.socket = writer.get_extra_info("socket")
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            await Connection(
                reader,
                writer,
                table=self.table,
                shopper=Shopper(self.store, self.site, time.monotonic),
                studio=self.studio,
                pool=self.pool,
                large=self._large,
            ).serve()
        except asyncio.CancelledError:
            logger.debug("closed a client: the store closes")
        finally:
            self.connections.discard(task)
