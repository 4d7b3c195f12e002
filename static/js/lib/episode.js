// What the page knows of an episode: a snapshot, and the small messages after it. Pure, so drawing is
// always from one state, and a message seen twice changes nothing.

export const EMPTY = Object.freeze({ seq: 0, phase: "preparing", lines: [], things: [], tools: [], cart: [], notes: [], outcome: null, waiting: "", queue: null, width: 960, height: 540, superseded: false });

// Returns { state, gap }: gap is true when messages were missed and the snapshot has to be asked for.
export function apply(state, event) {
  if (event.type === "snapshot") return { state: { ...event, outcome: lastOutcome(event.lines), superseded: false }, gap: false };
  if (event.type === "refused") return { state, gap: false };
  if (event.type === "superseded") return { state: { ...state, superseded: true }, gap: false };
  if (event.seq && event.seq <= state.seq) return { state, gap: false };
  const gap = Boolean(event.seq && state.seq && event.seq > state.seq + 1);
  return { state: step({ ...state, seq: event.seq ?? state.seq }, event), gap };
}

function step(state, event) {
  switch (event.type) {
    case "phase":
      return { ...state, phase: event.phase, turn: event.turn, waiting: event.waiting, queue: event.queue ?? null };
    case "line":
      return { ...state, lines: withLine(state.lines, event.line) };
    case "outcome":
      return { ...state, ...handled(state, event.deed), outcome: event.deed, lines: withDeed(state.lines, event) };
    case "trouble":
      return { ...state, waiting: event.text, trouble: event.final };
    case "note":
      return { ...state, notes: event.text ? [...(state.notes ?? []), event.text] : (state.notes ?? []), paused: event.paused };
    case "ended":
      return { ...state, phase: "ended", end_reason: event.end_reason, next_url: event.next_url };
    default:
      return state;
  }
}

export function withLine(lines, line) {
  const kept = lines.filter((other) => other.index !== line.index);
  return [...kept, line].sort((a, b) => a.index - b.index);
}

function withDeed(lines, { turn, deed }) {
  return lines.map((line) => (line.turn === turn && line.speaker === "user" ? { ...line, deed } : line));
}

// After the last turn no snapshot follows: what was put in the cart has left the hand all the same.
function handled({ held, checked, cart }, { tool, ok }) {
  const item = held ?? checked;
  return tool === "add_to_cart" && ok && item ? { held: null, checked: null, cart: [...(cart ?? []), item] } : {};
}

function lastOutcome(lines) {
  const deeds = lines.filter((line) => line.deed && line.deed.ok !== null && line.deed.ok !== undefined);
  return deeds.length ? deeds[deeds.length - 1].deed : null;
}
