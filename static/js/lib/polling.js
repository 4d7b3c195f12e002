// Where websockets are blocked for good: the same talk over plain requests, a little slower.

const EVERY_MS = 1500;

export function polling({ stateUrl, pictures, actUrl, on, picture, shown, ask = globalThis.fetch.bind(globalThis), clock = globalThis }) {
  let stopped = false;
  let asking = false;

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
      }
    } catch {
      // The next look tries again; the banner already says that the line is poor.
    } finally {
      asking = false;
    }
  }

  async function post(message) {
    if (message.type === "ping" || message.type === "resume") return look();
    try {
      const answer = await ask(actUrl, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(message),
      });
      if (answer.headers.get("content-type")?.includes("json")) for (const event of (await answer.json()).events ?? []) on(event);
    } catch {
      return undefined;
    }
    return look();
  }

  const timer = clock.setInterval(look, EVERY_MS);
  look();
  return {
    send: post,
    stop() {
      stopped = true;
      clock.clearInterval(timer);
    },
  };
}
