"""What one participant's page shows right now; a snapshot is drawn from it at any moment."""

from dataclasses import dataclass, field
from typing import Any

from play.loading import Loaded
from play.showing import shown_cart, shown_goal, shown_item, shown_things, shown_tools
from siturec.protocol.events import Line, Phase, Snapshot
from siturec.protocol.messages import Observation, ShopperState, View
from siturec.protocol.vocabulary import EndReason


@dataclass
class Screen:
    """The page's state in this process; rebuilt from the record when another process takes over."""

    loaded: Loaded
    next_url: str
    notes: tuple[str, ...] = ()
    paused: bool = False
    seq: int = 0
    turn: int = 0
    phase: Phase = "preparing"
    waiting: str = ""
    queue: int | None = None
    frame: int | None = None
    pictures: dict[int, bytes] = field(default_factory=dict)
    minimap: bytes | None = None
    width: int = 960
    height: int = 540
    observation: Observation | None = None
    state: ShopperState = field(default_factory=ShopperState)
    lines: dict[int, Line] = field(default_factory=dict)
    draft: dict[str, Any] = field(default_factory=dict)
    client_ids: set[str] = field(default_factory=set)
    last_client_id: str | None = None
    end_reason: EndReason | None = None

    def look(self, turn: int, view: View, state: ShopperState) -> None:
        """A new view to act on; the frame before it is kept for a slow page."""
        self.turn, self.observation, self.state = turn, view.observation, state
        self.width, self.height = view.width, view.height
        self.pictures = {key: value for key, value in self.pictures.items() if key == self.frame}
        self.frame = turn
        self.pictures[turn] = view.user_frame
        self.minimap = view.minimap_user if self.loaded.setting.rules.show_user_minimap else None

    def say(self, line: Line) -> None:
        """Add or replace a line of the talk."""
        self.lines[line.index] = line

    def snapshot(self) -> Snapshot:
        """Everything the page draws."""
        setting, seen = self.loaded.setting, self.observation
        design = self.loaded.row.study.design if self.loaded.row.study is not None else None
        pack = setting.pack
        return Snapshot(
            seq=self.seq,
            kind=pack.info.kind,
            scene_name=pack.info.name,
            letter=self.loaded.row.letter,
            turn=self.turn,
            turn_limit=setting.rules.limits.turns,
            phase=self.phase,
            frame=self.frame,
            width=self.width,
            height=self.height,
            things=shown_things(seen) if seen is not None else (),
            tools=shown_tools(setting, seen, self.state) if seen is not None else (),
            lines=tuple(line for _, line in sorted(self.lines.items())),
            held=shown_item(pack, self.state.held, seen),
            checked=shown_item(pack, self.state.checked, seen),
            cart=shown_cart(pack, self.state.cart),
            goal=shown_goal(setting),
            minimap=self.minimap is not None,
            reply_required=setting.rules.reply_required,
            draft=self.draft,
            last_client_id=self.last_client_id,
            marker_policy=design.marker_policy if design is not None else "warn",
            notes=self.notes,
            paused=self.paused,
            end_reason=self.end_reason,
            waiting=self.waiting,
            queue=self.queue,
            next_url=self.next_url if self.end_reason is not None else "",
        )
