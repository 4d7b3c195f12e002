"""``python -m storefront --scene SLUG``: serve a store on UnrealCV's wire."""

import argparse
import asyncio
import logging
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from siturec.scene.load import SceneError
from storefront.server import CannotStart, Options, StoreServer
from storefront.shopper_scene import AGENT_NAME


def scene_folder(name: str) -> Path:
    """A scene's folder from its path, or its slug in SITUREC_SCENES or ./scenes. Raises: CannotStart."""
    given = Path(name)
    if (given / "scene.json").is_file():
        return given
    scenes = Path(os.environ.get("SITUREC_SCENES") or "scenes")
    if (scenes / name / "scene.json").is_file():
        return scenes / name
    known = sorted(p.parent.name for p in scenes.glob("*/scene.json"))
    raise CannotStart(
        f"no scene '{name}': it is neither a folder with a scene.json nor one of those in {scenes}: "
        + (", ".join(known) or "there are none")
    )


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="storefront", description=__doc__)
    parser.add_argument("--scene", required=True, help="a scene's slug, or the folder of its pack")
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default: this machine only)"
    )
    parser.add_argument("--port", type=int, default=9000, help="0 takes any free port (default: 9000)")
    parser.add_argument(
        "--cache", help="folder for built stores (default: the checkout's or the user's cache)"
    )
    parser.add_argument("--threads", type=int, help="painting threads (default: one per core)")
    parser.add_argument("--capture-dir", help="folder for captures saved to files (default: a temporary one)")
    parser.add_argument("--verbose", action="store_true", help="log every client")
    return parser.parse_args(argv)


def allow_many_files() -> None:
    """Let the process have as many connections as the system allows it; the usual limit is 1024 files."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 8192 if hard == resource.RLIM_INFINITY else min(8192, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


async def serve(options: Options) -> None:
    """Serve until told to stop; say so on standard output once ready."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, stop.set)
    async with StoreServer(options) as server:
        scene = server.store.pack.info.id
        host = f"[{options.host}]" if ":" in options.host else options.host
        sys.stdout.write(f"storefront {scene} listening on {host}:{server.port} agent {AGENT_NAME}\n")
        sys.stdout.flush()
        await stop.wait()


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command. Returns: the exit status."""
    args = parse(argv)
    logging.basicConfig(
        level=logging.DEBUG if args.verbose else logging.WARNING, format="storefront: %(message)s"
    )
    logging.getLogger("numba").setLevel(logging.WARNING)
    allow_many_files()
    try:
        if not 0 <= args.port <= 65535:
            raise CannotStart(f"--port {args.port} is not a port; give 0 to 65535")
        if args.threads is not None and not 1 <= args.threads <= 256:
            raise CannotStart(f"--threads {args.threads}: give 1 to 256")
        options = Options(
            scene=scene_folder(args.scene),
            host=args.host,
            port=args.port,
            cache=None if args.cache is None else Path(args.cache),
            threads=args.threads,
            captures=None if args.capture_dir is None else Path(args.capture_dir),
        )
        asyncio.run(serve(options))
    except CannotStart as refused:
        sys.stderr.write(f"storefront: {refused}\n")
        return 2
    except SceneError as faulty:
        sys.stderr.write(f"storefront: the scene pack cannot be used:\n{faulty}\n")
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
