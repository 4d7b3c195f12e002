// Where in an episode one is, and what a turn says; no page, no network.

export function place(turns, wanted) {
  if (turns.length === 0) return -1;
  const exact = turns.findIndex((turn) => turn.index === wanted);
  if (exact >= 0) return exact;
  return wanted > turns[turns.length - 1].index ? turns.length - 1 : 0;
}

export function conversation(turns) {
  return turns.flatMap((turn) => {
    const lines = [];
    if (turn.assistant) {
      lines.push({ turn: turn.index, who: "assistant", text: turn.assistant.utterance ?? "", act: turn.assistant.action?.type ?? "" });
    }
    if (turn.user) {
      lines.push({
        turn: turn.index,
        who: "user",
        text: turn.user.reply ?? "",
        act: turn.user.tool_call?.tool ?? "",
        outcome: turn.user.outcome?.message ?? "",
      });
    }
    return lines;
  });
}

export function hidden(turn) {
  if (!turn.assistant) return [];
  const { action, ranking, expected_user_action: expected } = turn.assistant;
  const call = turn.user?.tool_call;
  return [
    ["Annotation", action ? JSON.stringify(action, null, 1) : "none"],
    ["Ranking", ranking === null || ranking === undefined ? "none given" : ranking.join(", ") || "empty"],
    ["Expected action", expected ? JSON.stringify(expected, null, 1) : "none"],
    ["Executed action", call ? JSON.stringify(call, null, 1) : "none"],
  ];
}

// A judge's words in pieces: text, and the turns it names ("T3"), each a place to go.
export function evidence(text) {
  return String(text ?? "")
    .split(/\b(T\d+)\b/)
    .filter((piece) => piece !== "")
    .map((piece) => (/^T\d+$/.test(piece) ? { text: piece, turn: Number(piece.slice(1)) } : { text: piece }));
}

export function seconds(timings) {
  return Object.entries(timings ?? {})
    .filter(([, value]) => typeof value === "number")
    .map(([step, value]) => `${step} ${value.toFixed(2)} s`)
    .join(" · ");
}
