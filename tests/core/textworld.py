"""A store without pixels, for playing scripted minds against each other quickly.

Sight is geometry on the floor plan (distance, field of view, fixtures in the way), standing points are the
pack's, rules are the protocol's own ``validate_call`` and ``apply_to_state``.
"""

import math
from dataclasses import dataclass, field

from siturec.protocol.actions import apply_to_state
from siturec.protocol.messages import (
    Observation,
    Outcome,
    Pose,
    ResolvedAction,
    ShopperState,
    Sighting,
    StoreKnowledge,
)
from siturec.scene.schema import Rect, ScenePack
from tests.core.text_knowledge import approaches, letters

_SEEN: dict[int, tuple[ScenePack, dict[Pose, Observation]]] = {}
"""What is seen from a pose: episodes stand at the same points again and again.

By the pack itself, kept here so that no other takes its place: tests make packs that differ under one name.
"""


def crosses(rect: Rect, x0, y0, x1, y1) -> bool:
    """Whether a segment passes through a rectangle (Liang-Barsky)."""
    low, high = 0.0, 1.0
    for p, q in (
        (x0 - x1, x0 - rect.x0),
        (x1 - x0, rect.x1 - x0),
        (y0 - y1, y0 - rect.y0),
        (y1 - y0, rect.y1 - y0),
    ):
        if p == 0:
            if q < 0:
                return False
            continue
        t = q / p
        if p < 0:
            low = max(low, t)
        else:
            high = min(high, t)
        if low > high:
            return False
    return True


@dataclass
class TextWorld:
    """One shopper in a pack."""

    pack: ScenePack
    knowledge: StoreKnowledge
    pose: Pose = field(init=False)
    state: ShopperState = field(default_factory=ShopperState)

    def __post_init__(self):
        self.pose = self.pack.info.start
        self.entries = {t.entity: t for t in self.knowledge.targets}
        self.solid = [t for t in self.pack.targets if t.kind == "fixture"]
        self.high = [t for t in self.solid if t.height_m > 1.5]
        self.walls = [w for w in self.pack.layout.walls if w.base_m < 1.5]
        self.heights = {p.id: p.look.size_m[2] for p in self.pack.products}
        self.faces = {t.entity: [(t.x_m, t.y_m)] for t in self.pack.targets}
        for wall in self.walls:
            if wall.owner is not None:
                middle = ((wall.x0 + wall.x1) / 2, (wall.y0 + wall.y1) / 2)
                self.faces[f"store:{wall.owner}"].insert(0, middle)

    def _angle(self, x, y):
        towards = math.degrees(math.atan2(y - self.pose.y_m, x - self.pose.x_m))
        return (towards - self.pose.yaw_deg + 180) % 360 - 180

    def _clear(self, x, y, *, but=()):
        here = (self.pose.x_m, self.pose.y_m)
        if any(t.id not in but and crosses(t.footprint, *here, x, y) for t in self.high):
            return False
        for wall in self.walls:
            if wall.owner is not None and wall.owner in but:
                continue
            if _meet(here, (x, y), (wall.x0, wall.y0), (wall.x1, wall.y1)):
                return False
        return True

    def observe(self) -> Observation:
        _, seen = _SEEN.setdefault(id(self.pack), (self.pack, {}))
        if self.pose not in seen:
            seen[self.pose] = self._look()
        return seen[self.pose]

    def _look(self) -> Observation:
        sight, seen, found = self.pack.info.sight, [], {}
        half = sight.fov_deg / 2
        reach = {"fixture": sight.fixture_m, "store": sight.store_m, "area": sight.area_m}
        for target in self.pack.targets:
            margin = 10 if target.kind == "fixture" else 0
            for x, y in self.faces[target.entity]:
                away = math.hypot(x - self.pose.x_m, y - self.pose.y_m)
                angle = self._angle(x, y)
                within = away <= reach[target.kind] and abs(angle) <= half + margin
                if within and self._clear(x, y, but=(target.id,)):
                    seen.append(self._sighting(self.entries[target.entity], target, away, angle))
                    break
        vertical = math.degrees(
            math.atan(math.tan(math.radians(half)) * sight.frame_height / sight.frame_width)
        )
        for thing in self.pack.instances:
            away = math.hypot(thing.x_m - self.pose.x_m, thing.y_m - self.pose.y_m)
            if away > sight.product_m or away >= found.get(thing.product, (99,))[0]:
                continue
            angle = self._angle(thing.x_m, thing.y_m)
            if abs(angle) > half:
                continue
            middle = thing.z_m + self.heights[thing.product] / 2
            lift = math.degrees(math.atan2(middle - sight.eye_m, max(away, 0.1)))
            if abs(lift - self.pose.pitch_deg) > vertical:
                continue
            facing = math.cos(math.radians(thing.yaw_deg)) * (self.pose.x_m - thing.x_m) + math.sin(
                math.radians(thing.yaw_deg)
            ) * (self.pose.y_m - thing.y_m)
            if self.pack.info.kind == "supermarket" and facing < 0:
                continue
            if self._clear(thing.x_m, thing.y_m, but=(thing.target,)):
                found[thing.product] = (away, angle)
        products = {p.id: p for p in self.pack.products}
        for n, (product, (away, angle)) in enumerate(sorted(found.items())):
            seen.append(
                Sighting(
                    entity=f"product:{product}",
                    kind="product",
                    name=products[product].name,
                    user_marker=str(n + 1),
                    assistant_marker=letters(n),
                    distance_m=away,
                    side=_side(angle),
                    reachable=away <= sight.reach_m,
                )
            )
        return Observation(pose=self.pose, visible=tuple(seen))

    def _sighting(self, entry, target, away, angle):
        return Sighting(
            entity=entry.entity,
            kind=entry.kind,
            name=entry.name,
            user_marker=entry.user_marker,
            assistant_marker=entry.assistant_marker,
            distance_m=away,
            side=_side(angle),
            approaches=approaches(target),
        )

    def execute(self, action: ResolvedAction) -> Outcome:
        before, pose = self.pose, self.pose
        yaw, sign = pose.yaw_deg, {"left": -1, "right": 1, "up": 1, "down": -1}.get(action.direction or "", 0)
        if action.target is not None:
            target = next(t for t in self.pack.targets if t.entity == action.target)
            standing = {s.approach: s.waypoint for s in target.standing}
            name = standing.get(action.approach or "") or next(iter(standing.values()))
            way = next(w for w in self.pack.waypoints if w.id == name)
            face = way.yaw_deg if action.approach != "nearest" else yaw
            pitch = way.pitch_deg if action.approach != "nearest" else pose.pitch_deg
            self.pose = Pose(x_m=way.x_m, y_m=way.y_m, yaw_deg=face, pitch_deg=pitch)
        elif action.tool == "look_up_down":
            self.pose = pose.model_copy(update={"pitch_deg": pose.pitch_deg + sign * action.angle_deg})
        else:
            if action.tool in ("turn", "turn_and_move"):
                yaw += sign * action.angle_deg
            self.pose = pose.model_copy(update={"yaw_deg": (yaw + 180) % 360 - 180})
            step = action.distance_m or 0.0
            heading = {"move_backward": 180, "side_step": 90 * sign}.get(action.tool, 0)
            self._slide(yaw + heading, step)
            if action.tool == "move_and_turn":
                self.pose = self.pose.model_copy(update={"yaw_deg": yaw + sign * action.angle_deg})
        moved = math.hypot(self.pose.x_m - before.x_m, self.pose.y_m - before.y_m)
        outcome = Outcome(ok=True, displacement_m=moved)
        self.state = apply_to_state(self.state, action, outcome)
        return outcome

    def _slide(self, yaw, metres):
        for _ in range(round(metres / 0.1)):
            x = self.pose.x_m + 0.1 * math.cos(math.radians(yaw))
            y = self.pose.y_m + 0.1 * math.sin(math.radians(yaw))
            room = self.pack.layout
            if not (0.3 < x < room.width_m - 0.3 and 0.3 < y < room.depth_m - 0.3):
                return
            grown = 0.25
            if any(
                t.footprint.x0 - grown < x < t.footprint.x1 + grown
                and t.footprint.y0 - grown < y < t.footprint.y1 + grown
                for t in self.solid
            ):
                return
            if any(
                _meet((self.pose.x_m, self.pose.y_m), (x, y), (w.x0, w.y0), (w.x1, w.y1)) for w in self.walls
            ):
                return
            self.pose = self.pose.model_copy(update={"x_m": x, "y_m": y})


def _side(angle):
    return "left" if angle < -13.3 else "right" if angle > 13.3 else "ahead"


def _meet(a, b, c, d):
    def turn(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0
