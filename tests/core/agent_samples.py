"""Small inputs for the four roles: a store of five products, one view, one shopper."""

import io
from functools import lru_cache

from PIL import Image

from siturec.protocol.messages import (
    AssistantInput,
    CatalogEntry,
    JudgeInput,
    ModeratorInput,
    Observation,
    PastTurn,
    Pose,
    ResolvedAction,
    ShopperState,
    Sighting,
    StoreKnowledge,
    TargetEntry,
    UserInput,
)

PRODUCTS = (
    ("sm-1", "Cod Fillets", "fish", ("mild", "lean"), 7.5, {"allergens": ["fish"]}, "fixture:cooler-1"),
    ("sm-2", "Smoked Salmon", "fish", ("rich",), 11.0, {"allergens": ["fish"]}, "fixture:cooler-1"),
    (
        "sm-3",
        "Firm Tofu",
        "meat alternative",
        ("vegan", "mild"),
        3.3,
        {"allergens": ["soy"]},
        "fixture:cooler-1",
    ),
    ("sm-4", "Nut Granola", "cereal", ("crunchy",), 4.2, {"allergens": ["nuts"]}, "fixture:shelf-1"),
    ("sm-5", "Corn Flakes", "cereal", ("crunchy", "kid-friendly"), 2.8, {"allergens": []}, "fixture:shelf-1"),
)


@lru_cache(maxsize=8)
def picture(width=1280, height=720):
    """A JPEG of that size."""
    out = io.BytesIO()
    Image.new("RGB", (width, height), "#2a6f6b").save(out, "JPEG")
    return out.getvalue()


def store(kind="supermarket"):
    """Five products on two fixtures, or in two areas of one store."""
    if kind == "supermarket":
        targets = (
            target("fixture:cooler-1", "fixture", "Fish Cooler", "1", "A", ("nearest", "front"), x=6.0),
            target(
                "fixture:shelf-1",
                "fixture",
                "Breakfast Shelf",
                "2",
                "B",
                ("nearest", "front", "back"),
                y=-5.0,
            ),
        )
        places = {p[6]: (p[6],) for p in PRODUCTS}
    else:
        targets = (
            target(
                "store:food", "store", "Food Hall", "1", "A", ("outside_doorway", "inside_doorway"), x=6.0
            ),
            target("area:fish", "area", "Fish Counter", "2a", "B1", (), x=7.0, store="store:food"),
            target("area:cereal", "area", "Cereal Corner", "3a", "C1", (), y=-5.0, store="store:food"),
        )
        places = {
            "fixture:cooler-1": ("store:food", "area:fish"),
            "fixture:shelf-1": ("store:food", "area:cereal"),
        }
    catalog = tuple(
        CatalogEntry(
            id=p[0], name=p[1], category=p[2], tags=p[3], price=p[4], details=p[5], locations=places[p[6]]
        )
        for p in PRODUCTS
    )
    return StoreKnowledge(scene="small", scene_version="1", kind=kind, catalog=catalog, targets=targets)


def target(entity, kind, name, assistant, user, approaches, *, x=0.0, y=0.0, store=None):
    """One place."""
    return TargetEntry(
        entity=entity,
        kind=kind,
        name=name,
        assistant_marker=assistant,
        user_marker=user,
        approaches=approaches,
        store=store,
        x_m=x,
        y_m=y,
    )


def seen(entity, kind, name, user, assistant, *, distance=2.0, reachable=None, approaches=(), side="ahead"):
    """One sighting."""
    return Sighting(
        entity=entity,
        kind=kind,
        name=name,
        user_marker=user,
        assistant_marker=assistant,
        distance_m=distance,
        reachable=reachable,
        approaches=approaches,
        side=side,
    )


VIEW = Observation(
    pose=Pose(x_m=0, y_m=0),
    visible=(
        seen(
            "fixture:cooler-1",
            "fixture",
            "Fish Cooler",
            "A",
            "1",
            distance=6.0,
            approaches=("nearest", "front"),
        ),
        seen("product:sm-1", "product", "Cod Fillets", "1", "B", reachable=True),
        seen("product:sm-3", "product", "Firm Tofu", "2", "A", distance=4.0, reachable=False),
    ),
)


def past(turn, utterance, reply, tool="idle", **action):
    """One finished turn."""
    return PastTurn(
        turn=turn,
        utterance=utterance,
        reply=reply,
        action=ResolvedAction(tool=tool, **action),
        outcome={"ok": True},
        visible=(),
    )


def assistant_input(*, history=(), kind="supermarket", condition="full", view=VIEW, **more):
    """What an assistant is given."""
    hidden = condition == "no_ego_view_no_caption"
    given = {
        "store": store(kind),
        "condition": condition,
        "turn": len(history),
        "turn_limit": 20,
        "pose": Pose(x_m=0, y_m=0),
        "observation": None if hidden else view,
        "frame": picture() if condition == "full" else None,
        "minimap": None,
        "minimap_text": "",
        "history": tuple(history),
        "state": ShopperState(),
        "seed": 7,
    }
    return AssistantInput(**{**given, **more})


TASK = {
    "id": "1.1",
    "request": "A mild dinner protein.",
    "preferences": ["mild", "no nuts"],
    "needs": [
        {"key": "category", "values": ["fish"], "avoid": False, "text": "I'd like fish."},
        {"key": "tag", "values": ["mild"], "avoid": False, "text": "It should be mild."},
        {"key": "allergens", "values": ["nuts"], "avoid": True, "text": "No nuts, please."},
    ],
    "budget": 8.0,
    "disclosure": {
        "opening": "I'm looking for fish for dinner.",
        "details": ["It should be mild.", "No nuts, please.", "My budget is about $8."],
    },
    "acceptance": {"explanation": "little", "substitutes": "none", "rejection": "reason"},
    "reference_items": ["sm-1"],
}
PROFILE = {
    "id": "1",
    "role": "parent",
    "persona": "A busy parent who cooks for three.",
    "demographics": {"gender": "woman", "age_group": "35-44"},
    "big_five": {"openness": "medium"},
    "interaction": {
        "behavior_style": "direct",
        "patience": "medium",
        "price_sensitivity": "medium",
        "explanation_seeking": "low",
        "substitute_willingness": "low",
        "navigation_following": "high",
        "talkativeness": "medium",
    },
}


def user_input(utterance="Hello!", *, history=(), view=VIEW, task=None, manner=None, **more):
    """What a user is given; ``manner`` overrides interaction settings."""
    given = {
        "scene": "small",
        "kind": "supermarket",
        "turn": len(history),
        "turn_limit": 20,
        "utterance": utterance,
        "observation": view,
        "frame": picture(),
        "minimap": None,
        "history": tuple(history),
        "state": ShopperState(),
        "profile": {**PROFILE, "interaction": {**PROFILE["interaction"], **(manner or {})}},
        "task": {**TASK, **(task or {})},
        "seed": 7,
    }
    return UserInput(**{**given, **more})


def moderator_input(utterance="Shall we go on?", reply="Yes, please.", **more):
    """What a moderator is given."""
    return ModeratorInput(
        history=(),
        utterance=utterance,
        reply=reply,
        action=ResolvedAction(tool="idle"),
        outcome=None,
        seed=7,
        **more,
    )


def record(*turns, cart=("sm-1",), end="success_cart_added"):
    """A trajectory record from (utterance, action, reply, tool, expected tool) tuples."""
    rows = []
    for number, (utterance, action, reply, tool, expected) in enumerate(turns):
        rows.append(
            {
                "turn": number,
                "observation": {"pose": {}, "visible": [{"entity": "product:sm-1"}]},
                "assistant": {
                    "utterance": utterance,
                    "action": action,
                    "ranking": ["sm-1", "sm-2"],
                    "expected_user_action": {"tool": expected, "args": {}},
                },
                "user": {
                    "reply": reply,
                    "tool_call": {"tool": tool, "args": {}},
                    "outcome": {"ok": True, "displacement_m": 0.0, "message": ""},
                },
            }
        )
    return {"turns": rows, "final_cart": list(cart), "reference_items": ["sm-1"], "end_reason": end}


GOOD_VISIT = (
    ("Hello! What are you looking for today?", {"type": "Greet"}, "Fish for dinner, please.", "idle", "idle"),
    (
        "Let's walk over to the Fish Cooler ahead. Do you have a budget?",
        {"type": "Navigate"},
        "Sure. My budget is about $8.",
        "move_to_fixture",
        "move_to_fixture",
    ),
    (
        "I'd recommend the Cod Fillets: mild, and it costs $7.50.",
        {"type": "Recommend", "display_name": "Cod Fillets", "visible_now": True, "reason": "mild"},
        "Let me see it.",
        "pick_up_item",
        "pick_up_item",
    ),
    (
        "Shall we put the Cod Fillets in your cart?",
        {"type": "ConfirmPurchase"},
        "Good, I'll take it.",
        "add_to_cart",
        "add_to_cart",
    ),
)


def judge_input(given=None, **more):
    """What a judge is given."""
    return JudgeInput(
        record=given or record(*GOOD_VISIT), task=TASK, profile=PROFILE, catalog=store().catalog, **more
    )
