// Where websockets are blocked for good: the same talk over plain requests, a little slower.

const EVERY_MS = 1500;
// The server may wait some seconds for a turn to be written; what takes longer than this never comes.
const LONGEST_MS = 30000;

export function polling({ stateUrl, pictures, actUrl, on, picture, shown, ask = globalThis.fetch.bind(globalThis), clock = globalThis }) {
  let stopped = false;
  let asking = false;
  let posts = Promise.resolve();

  async function look() {
    if (stopped || asking) return;
    asking = true;
    try {
      const answer = await ask(stateUrl, { headers: { Accept: "application/json" }, cache: "no-store" });
      if (answer.ok) {
        const snapshot = await answer.json();
        on(snapshot);
        if (snapshot.frame !== null && snapshot.frame !== shown()) {
          const image = await ask(`${pictures}${snapshot.frame}/`);
          if (image.ok) picture({ kind: 1, number: snapshot.frame, jpeg: await image.blob() });
        }
      } else if (answer.status === 409) {
        // Nothing to do in the store any more: the visit ended elsewhere.
        stop();
        on({ type: "ended", end_reason: "", next_url: (await answer.json()).next_url });
      }
    } catch {
      // The next look tries again; the banner already says that the line is poor.
    } finally {
      asking = false;
    }
  }

  // True when the server has it.
  async function post(message) {
    let told = false;
    try {
      const answer = await ask(actUrl, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(message),
        signal: AbortSignal.timeout?.(LONGEST_MS),
      });
      told = answer.ok;
      if (answer.headers.get("content-type")?.includes("json")) for (const event of (await answer.json()).events ?? []) on(event);
    } catch {
      return false;
    }
    look();
    return told;
  }

  // One after the other, as on a socket: a draft must not arrive after the turn that was made of it.
  function send(message) {
    if (message.type === "ping" || message.type === "resume") return look();
    posts = posts.then(() => post(message));
    return posts;
  }

  function stop() {
    stopped = true;
    clock.clearInterval(timer);
  }

  const timer = clock.setInterval(look, EVERY_MS);
  look();
  return { send, stop };
}
