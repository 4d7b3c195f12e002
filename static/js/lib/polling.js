// Where websockets are blocked for good: the same talk over plain requests, a little slower.

import { post } from "./post.js";

const EVERY_MS = 1500;

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

  async function tell(message) {
    const { events } = await post(actUrl, message, { ask });
    for (const event of events) on(event);
    look();
  }

  // One after the other, as on a socket: a draft must not arrive after the turn that was made of it.
  function send(message) {
    if (message.type === "ping" || message.type === "resume") return look();
    posts = posts.then(() => tell(message));
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
