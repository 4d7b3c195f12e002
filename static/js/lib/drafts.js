// What is typed and chosen but not sent: on this device at once, and with the server a moment later, from where
// another device has it too. What the server was never given is newer than what it has.

export function drafts({ key, storage, send, clock = globalThis, pause = 500 }) {
  let timer = null;

  function read() {
    try {
      return JSON.parse(storage.getItem(key) ?? "null");
    } catch {
      return null;
    }
  }

  function hand() {
    const kept = read();
    if (!kept) return;
    const { text, tool, args } = kept;
    if (send({ type: "draft", text, tool, args })) storage.removeItem(key);
  }

  return {
    // frame: the view that the choice was made in.
    keep(draft) {
      storage.setItem(key, JSON.stringify(draft));
      clock.clearTimeout(timer);
      timer = clock.setTimeout(hand, pause);
    },
    // The line is open: the server is to have what it was not given yet.
    hand,
    // The words are on their way as a turn.
    drop() {
      clock.clearTimeout(timer);
      storage.removeItem(key);
    },
    // What to go on with in this view (null: not known yet), given what the server has. Of another view it is over.
    latest(frame, given) {
      const kept = read();
      if (kept && (kept.frame === frame || frame === null)) return kept;
      storage.removeItem(key);
      return given;
    },
  };
}
