// The tools as a person meets them: which there are, their amounts, and what one can do with a thing.
// A call is { tool, args } in the user's own markers, as the server takes it.

export const DISTANCES = ["short", "medium", "long"];
export const METRES = { short: 1, medium: 2, long: 4 };
export const ANGLES = [15, 30, 45, 60, 90, 120, 150, 180];

// What each button of the walking pad stands for, with its first amount.
export const MOVES = {
  forward: { tool: "move_forward", args: { distance: "medium" } },
  backward: { tool: "move_backward", args: { distance: "short" } },
  "turn-left": { tool: "turn", args: { direction: "left", angle: 45 } },
  "turn-right": { tool: "turn", args: { direction: "right", angle: 45 } },
  "step-left": { tool: "side_step", args: { direction: "left", distance: "short" } },
  "step-right": { tool: "side_step", args: { direction: "right", distance: "short" } },
  "look-up": { tool: "look_up_down", args: { direction: "up", angle: 15 } },
  "look-down": { tool: "look_up_down", args: { direction: "down", angle: 15 } },
};

// Letters work anywhere but in a text; arrows only while the frame has the focus (the page must scroll).
export const KEYS = {
  w: "forward", s: "backward", a: "turn-left", d: "turn-right", q: "step-left", e: "step-right", r: "look-up", f: "look-down",
};
export const ARROWS = { ArrowUp: "forward", ArrowDown: "backward", ArrowLeft: "turn-left", ArrowRight: "turn-right" };

export function same(one, other) {
  return Boolean(one && other && one.tool === other.tool && (one.args?.direction ?? "") === (other.args?.direction ?? ""));
}

// Choosing the same movement again makes it longer (wider), until the most; then it starts over.
export function longer(call) {
  const { distance, angle } = call.args;
  if (angle !== undefined && distance === undefined) return { ...call, args: { ...call.args, angle: next(ANGLES, angle) } };
  if (distance !== undefined) return { ...call, args: { ...call.args, distance: next(DISTANCES, distance) } };
  return call;
}

function next(list, value) {
  return list[(list.indexOf(value) + 1) % list.length];
}

export function chosen(name, current) {
  const fresh = structuredClone(MOVES[name]);
  return same(fresh, current) ? longer(current) : fresh;
}

// Angles one can still look up or down, given the tool list's word (60 degrees from level at most).
export function amounts(call) {
  const list = [];
  if (call.args?.angle !== undefined) {
    const most = call.tool === "look_up_down" ? 60 : 180;
    list.push({ name: "angle", values: ANGLES.filter((angle) => angle <= most) });
  }
  if (call.args?.distance !== undefined) list.push({ name: "distance", values: DISTANCES });
  return call.tool === "move_and_turn" ? list.reverse() : list;
}

const TARGETS = { fixture: "move_to_fixture", store: "move_to_store", area: "move_to_area" };

// What can be done with a thing in view: [{ call, enabled, reason }], reasons in the server's words.
export function offers(thing, tools) {
  const state = (name) => tools.find((tool) => tool.tool === name);
  if (thing.kind === "product") {
    const tool = state("pick_up_item") ?? state("check_item");
    if (!tool) return [];
    const near = thing.reachable === true;
    const handsFull = near && !tool.enabled;
    return [{ call: { tool: tool.tool, args: { product: thing.marker } }, enabled: near && tool.enabled, reason: near ? (handsFull ? tool.reason : "") : "far" }];
  }
  const tool = state(TARGETS[thing.kind]);
  if (!tool) return [];
  const approaches = thing.kind === "area" ? [undefined] : thing.approaches.length ? thing.approaches : [undefined];
  return approaches.map((approach) => ({
    call: { tool: tool.tool, args: approach ? { target: thing.marker, approach } : { target: thing.marker } },
    enabled: tool.enabled,
    reason: tool.enabled ? "" : tool.reason,
  }));
}

// Is a call kept from an earlier frame still about something in view?
export function holds(call, things, tools) {
  if (!call) return false;
  const tool = tools.find((known) => known.tool === call.tool);
  if (!tool?.enabled) return false;
  const marker = call.args?.product ?? call.args?.target;
  return marker === undefined || things.some((thing) => thing.marker === marker);
}

// Turning and walking in one go, both ways round and in both orders.
export const COMBINED = ["left", "right"].flatMap((direction) =>
  ["turn_and_move", "move_and_turn"].map((tool) => ({ tool, args: { direction, angle: 90, distance: "medium" } })),
);
