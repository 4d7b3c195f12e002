// What is typed into a form and not yet with the server, on this device. Where a browser forbids that, nothing is kept.

const SENT = "siturec:sent";

function quietly(work) {
  try {
    return work();
  } catch {
    return null;
  }
}

// A browser's storage ("localStorage" or "sessionStorage") that never throws: where it is forbidden or full, what is
// put there lasts as long as the page.
export function storage(name) {
  const here = new Map();
  const real = quietly(() => globalThis[name]);
  return {
    getItem: (key) => here.get(key) ?? quietly(() => real.getItem(key)),
    setItem(key, value) {
      here.set(key, value);
      quietly(() => real.setItem(key, value));
    },
    removeItem(key) {
      here.delete(key);
      quietly(() => real.removeItem(key));
    },
  };
}

export function keeper(name) {
  const key = `siturec:${name}`;
  return {
    read: () => quietly(() => JSON.parse(localStorage.getItem(key))) ?? {},
    write: (form) => quietly(() => localStorage.setItem(key, JSON.stringify(Object.fromEntries(new FormData(form))))),
    drop: () => quietly(() => localStorage.removeItem(key)),
    // Sent, but perhaps never received: it is dropped by the next page that is not this form's.
    sent: () => quietly(() => localStorage.setItem(SENT, key)),
  };
}

export function dropWhatArrived(names) {
  const key = quietly(() => localStorage.getItem(SENT));
  if (!key || names.some((name) => key === `siturec:${name}`)) return;
  quietly(() => localStorage.removeItem(key));
  quietly(() => localStorage.removeItem(SENT));
}
