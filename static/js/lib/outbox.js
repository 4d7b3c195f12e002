// The one turn that is on its way. It keeps its id until the server has answered, over reloads too, so that
// sending it again can never make a second turn.

export function newId(random = globalThis.crypto) {
  return [...random.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function outbox({ key, storage, send, makeId = newId }) {
  let pending = null;
  try {
    pending = JSON.parse(storage.getItem(key) ?? "null");
  } catch {
    pending = null;
  }

  function keep(value) {
    pending = value;
    if (value) storage.setItem(key, JSON.stringify(value));
    else storage.removeItem(key);
  }

  return {
    get pending() {
      return pending;
    },
    post(act) {
      if (pending) return pending;
      keep({ type: "act", client_id: makeId(), ...act });
      send(pending);
      return pending;
    },
    again() {
      if (pending) send(pending);
    },
    // True when this settles what was on its way.
    settle(clientId) {
      if (!pending || pending.client_id !== clientId) return false;
      keep(null);
      return true;
    },
    drop() {
      keep(null);
    },
  };
}
