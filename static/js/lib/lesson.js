// What of the practice has been tried, read off the talk so far.

const TURNS = ["turn", "look_up_down", "turn_and_move", "move_and_turn"];
const GOES = ["move_to_fixture", "move_to_store", "move_to_area"];
const WALKS = [...GOES, "move_forward", "move_backward", "side_step", "turn_and_move", "move_and_turn"];
const TAKES = ["pick_up_item", "check_item"];

export function tried(lines) {
  const done = new Set();
  for (const { speaker, text, deed } of lines) {
    if (speaker !== "user") continue;
    if (text.trim()) done.add("talk");
    if (!deed?.ok) continue;
    if (TURNS.includes(deed.tool)) done.add("look");
    if (WALKS.includes(deed.tool)) done.add("walk");
    if (GOES.includes(deed.tool)) done.add("mark");
    if (TAKES.includes(deed.tool)) done.add("take");
  }
  return done;
}
