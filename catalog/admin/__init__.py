"""Scenes in the admin: find, read, preview, edit, bring in and out."""

from catalog.admin.goods import InstanceAdmin, ProductAdmin, TargetAdmin, WaypointAdmin
from catalog.admin.scenes import SceneAdmin, SceneEditAdmin, SceneVersionAdmin
from catalog.admin.shoppers import ProfileAdmin, TaskAdmin

__all__ = [
    "InstanceAdmin",
    "ProductAdmin",
    "ProfileAdmin",
    "SceneAdmin",
    "SceneEditAdmin",
    "SceneVersionAdmin",
    "TargetAdmin",
    "TaskAdmin",
    "WaypointAdmin",
]
