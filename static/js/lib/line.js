// A line to the server that mends itself: a websocket while one can be had, plain requests otherwise.

import { wait } from "./backoff.js";

export const GAVE_UP_AFTER = 4;
const FINAL_CODES = new Set([4401, 4403, 4404]);

// handlers: event(message), picture(ArrayBuffer), state("open" | "waiting" | "fallback" | "closed", detail).
// resume() gives the first message of every new connection. polling, when given, is used once sockets fail. While
// resting() nothing is opened again but by renew(): the newest line is the one that plays.
export function line({ url, handlers, resume, polling, resting = () => false, Socket = globalThis.WebSocket, clock = globalThis, random = Math.random }) {
  let socket = null;
  let attempt = 0;
  let everOpen = false;
  let timer = null;
  let beat = null;
  let stopped = false;
  let poll = null;
  let silent = false;

  function open() {
    timer = null;
    silent = false;
    socket = new Socket(url);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      attempt = 0;
      everOpen = true;
      poll?.stop();
      poll = null;
      handlers.state("open");
      send(resume());
      beat = clock.setInterval(() => send({ type: "ping" }), 20000);
    };
    socket.onmessage = (message) => {
      if (silent) heard();
      if (typeof message.data === "string") handlers.event(JSON.parse(message.data));
      else handlers.picture(message.data);
    };
    socket.onclose = (closing) => lost(closing.code);
  }

  // The network was said to be gone, but something came through: what was missed meanwhile is asked for.
  function heard() {
    silent = false;
    handlers.state("open");
    send(resume());
  }

  function lost(code) {
    clock.clearInterval(beat);
    socket = null;
    if (stopped || resting()) return;
    if (FINAL_CODES.has(code)) {
      stopped = true;
      handlers.state("closed", code);
      return;
    }
    const delay = wait(attempt, random);
    attempt += 1;
    if (polling && !poll && attempt >= GAVE_UP_AFTER && !everOpen) poll = polling();
    handlers.state(poll ? "fallback" : "waiting", delay);
    timer = clock.setTimeout(open, delay);
  }

  function send(message) {
    if (socket?.readyState === 1) socket.send(JSON.stringify(message));
    else if (poll) poll.send(message);
    else return false;
    return true;
  }

  open();
  return {
    send,
    // A closed lid or a lost network: try at once instead of waiting the pause out.
    hurry() {
      if (timer === null || stopped) return;
      clock.clearTimeout(timer);
      attempt = 0;
      open();
    },
    // The network has gone: said at once, for a line that just falls silent is not closed for minutes.
    gone() {
      if (socket === null || stopped) return;
      silent = true;
      handlers.state("waiting", 0);
    },
    // There is a network again, perhaps another one: what was open before may carry nothing any more.
    renew() {
      if (stopped) return;
      if (socket !== null) {
        socket.onopen = socket.onmessage = socket.onclose = null;
        socket.close();
      }
      clock.clearInterval(beat);
      clock.clearTimeout(timer);
      attempt = 0;
      open();
    },
    close() {
      stopped = true;
      clock.clearTimeout(timer);
      clock.clearInterval(beat);
      poll?.stop();
      socket?.close();
    },
  };
}
