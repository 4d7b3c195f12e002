// One message to the server by a plain request, and what it answers.

// The server may wait some seconds for a turn to be written; what takes longer than this never comes.
const LONGEST_MS = 30000;

// events: what the server says to it. told: whether the server has it, and took it.
export async function post(url, message, { ask = globalThis.fetch.bind(globalThis), ms = LONGEST_MS } = {}) {
  try {
    const answer = await ask(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(message),
      keepalive: true, // it goes out even where the page is left at once
      signal: AbortSignal.timeout?.(ms),
    });
    const json = answer.headers.get("content-type")?.includes("json");
    const { events = [] } = json ? await answer.json() : {};
    return { told: answer.ok && !events.some(({ type }) => type === "refused"), events };
  } catch {
    return { told: false, events: [] };
  }
}
