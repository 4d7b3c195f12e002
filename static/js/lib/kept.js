// What is typed into a form and not yet with the server, on this device. Where a browser forbids that, nothing is kept.

const SENT = "siturec:sent";

function quietly(work) {
  try {
    return work();
  } catch {
    return null;
  }
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
