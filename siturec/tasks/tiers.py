"""The budget tiers, from tight to loose."""

from typing import Literal

Tier = Literal["strict", "moderate", "flexible"]
TIERS: tuple[Tier, ...] = ("strict", "moderate", "flexible")
