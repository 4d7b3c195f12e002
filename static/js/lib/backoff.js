// How long to wait before the n-th new try (from 0): doubling to a ceiling, spread so that a room full of
// browsers does not come back in the same instant.

export const FIRST_MS = 400;
export const MOST_MS = 12000;

export function wait(attempt, random = Math.random) {
  const full = Math.min(MOST_MS, FIRST_MS * 2 ** attempt);
  return Math.round(full * (0.6 + 0.4 * random()));
}
