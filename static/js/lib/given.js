// What somebody wrote, as the server takes it (siturec/protocol/given.py).

const UNSEEN = /^[\p{Cf}\p{Cc}\p{Z}\p{Mn}]*$/u;

// The words without the blanks around them; nothing where there is nothing to read.
export function readable(text) {
  return UNSEEN.test(text) ? "" : text.trim();
}
