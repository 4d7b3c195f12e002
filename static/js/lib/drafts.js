// What is typed and chosen but not sent: on this device at once, and with the server a moment later, from where
// another device has it too. Until the server has said that it has it, what is here is the newer.

import { newId } from "./outbox.js";

// most: as many characters as the server takes; longer ones stay on this device.
export function drafts({ key, storage, send, most = Infinity, clock = globalThis, pause = 500, again = 5000, makeId = newId }) {
  let timer = null;
  let asked = null;

  function plan(work, wait) {
    clock.clearTimeout(timer);
    timer = clock.setTimeout(work, wait);
  }

  function read() {
    try {
      return JSON.parse(storage.getItem(key) ?? "null");
    } catch {
      return null;
    }
  }

  function hand() {
    const kept = read();
    if (!kept || kept.stamp === asked) return;
    const { text, tool, args, stamp } = kept;
    if ([...text].length > most) return;
    if (!send({ type: "draft", stamp, text, tool, args })) return;
    // A line may look alive and carry nothing: without an answer it is told once more.
    asked = stamp;
    plan(() => {
      asked = null;
      hand();
    }, again);
  }

  function clear() {
    clock.clearTimeout(timer);
    storage.removeItem(key);
  }

  return {
    // frame: the view that the choice was made in.
    keep(draft) {
      storage.setItem(key, JSON.stringify({ ...draft, stamp: makeId() }));
      plan(hand, pause);
    },
    // The line is open: the server is to have what it is not known to have.
    hand,
    // The server has what was stamped so; what was typed since, it has not.
    given(stamp) {
      if (read()?.stamp === stamp) clear();
    },
    // The words are on their way as a turn.
    drop: clear,
    // What to go on with in this view (null: not known yet), given what the server has. Of another view it is over.
    latest(frame, given) {
      const kept = read();
      if (kept && (kept.frame === frame || frame === null)) return kept;
      storage.removeItem(key);
      return given;
    },
  };
}
