"""Where the store keeps what it would rather not work out again."""

import os
from pathlib import Path


def cache_root() -> Path:
    """``$SITUREC_VAR/storefront``, else ``var/cache/storefront`` of a checkout, else the user's cache."""
    var = os.environ.get("SITUREC_VAR")
    if var:
        return Path(var) / "storefront"
    checkout = Path(__file__).resolve().parent.parent / "var"
    if checkout.is_dir() and os.access(checkout, os.W_OK):
        return checkout / "cache" / "storefront"
    return Path.home() / ".cache" / "siturec" / "storefront"
