import assert from "node:assert/strict";
import { test } from "node:test";
import { line, GAVE_UP_AFTER } from "../../static/js/lib/line.js";
import { wait, MOST_MS } from "../../static/js/lib/backoff.js";

class Clock {
  now = 0;
  queue = [];
  setTimeout = (run, delay) => (this.queue.push({ at: this.now + delay, run }), this.queue.length);
  clearTimeout = (id) => id && (this.queue[id - 1] = null);
  setInterval = () => 0;
  clearInterval = () => undefined;
  run() {
    const due = this.queue.filter(Boolean);
    this.queue = [];
    due.forEach((one) => one.run());
  }
}

function stand({ polling, resting } = {}) {
  const sockets = [];
  const states = [];
  const events = [];
  class Socket {
    readyState = 0;
    sent = [];
    constructor() {
      sockets.push(this);
    }
    open() {
      this.readyState = 1;
      this.onopen();
    }
    drop(code = 1006) {
      this.readyState = 3;
      this.onclose({ code });
    }
    send(text) {
      this.sent.push(JSON.parse(text));
    }
    close() {
      this.closed = true;
    }
  }
  const clock = new Clock();
  const wire = line({
    url: "ws://x/",
    Socket,
    clock,
    random: () => 1,
    polling,
    resting,
    resume: () => ({ type: "resume", have_seq: 7 }),
    handlers: { event: (event) => events.push(event), picture: () => undefined, state: (...args) => states.push(args) },
  });
  return { wire, sockets, states, clock, events };
}

test("a lost line is opened again, and the first thing said on it is where we were", () => {
  const { sockets, clock, states } = stand();
  sockets[0].open();
  sockets[0].drop();
  clock.run();
  sockets[1].open();
  assert.deepEqual(sockets[1].sent, [{ type: "resume", have_seq: 7 }]);
  assert.deepEqual(states.map((state) => state[0]), ["open", "waiting", "open"]);
});

test("pauses double up to a ceiling and never exceed it", () => {
  const pauses = [0, 1, 2, 3, 9, 40].map((attempt) => wait(attempt, () => 1));
  assert.deepEqual(pauses, [400, 800, 1600, 3200, MOST_MS, MOST_MS]);
  assert.ok(wait(3, () => 0) >= 1600);
});

test("a link that is not known is not tried again", () => {
  const { sockets, clock, states } = stand();
  sockets[0].open();
  sockets[0].drop(4404);
  clock.run();
  assert.equal(sockets.length, 1);
  assert.deepEqual(states.at(-1), ["closed", 4404]);
});

test("where sockets never open, plain requests take over, and carry what is sent", () => {
  const sent = [];
  const { wire, sockets, clock, states } = stand({ polling: () => ({ send: (message) => sent.push(message), stop: () => undefined }) });
  for (let i = 0; i < GAVE_UP_AFTER; i += 1) {
    sockets.at(-1).drop();
    clock.run();
  }
  assert.equal(states.at(-1)[0], "fallback");
  assert.equal(wire.send({ type: "draft", text: "a" }), true);
  assert.equal(sent.length, 1);
});

test("without a line nothing is swallowed: sending says that it could not", () => {
  const { wire, sockets } = stand();
  sockets[0].drop();
  assert.equal(wire.send({ type: "draft", text: "a" }), false);
});

test("waking up tries at once instead of waiting the pause out", () => {
  const { wire, sockets } = stand();
  sockets[0].open();
  sockets[0].drop();
  wire.hurry();
  assert.equal(sockets.length, 2);
});

test("a network that comes back gets a new line, whatever the old one still looks like", () => {
  const { wire, sockets, states, events } = stand();
  sockets[0].open();
  wire.gone();
  assert.equal(states.at(-1)[0], "waiting");
  wire.renew();
  assert.equal(sockets[0].closed, true);
  assert.equal(sockets[0].onmessage, null, "nothing of the old one is heard any more");
  sockets[1].open();
  assert.deepEqual(sockets[1].sent, [{ type: "resume", have_seq: 7 }]);
  assert.equal(states.at(-1)[0], "open");
  assert.deepEqual(events, []);
});

test("a tab that rests opens no line of its own accord, for the newest line plays", () => {
  let rests = false;
  const { wire, sockets, clock } = stand({ resting: () => rests });
  sockets[0].open();
  rests = true;
  sockets[0].drop();
  clock.run();
  wire.hurry();
  assert.equal(sockets.length, 1);
  assert.equal(wire.send({ type: "take_over" }), false);
  wire.renew();
  sockets[1].open();
  assert.deepEqual(sockets[1].sent, [{ type: "resume", have_seq: 7 }]);
});

test("a line that still brings something is no lost one, and what was missed is asked for", () => {
  const { wire, sockets, states, events } = stand();
  sockets[0].open();
  wire.gone();
  sockets[0].onmessage({ data: '{"type":"note","seq":9}' });
  sockets[0].onmessage({ data: '{"type":"note","seq":10}' });
  assert.deepEqual(states.map(([now]) => now), ["open", "waiting", "open"]);
  assert.equal(sockets[0].sent.length, 2, "asked once at the beginning, and once more");
  assert.equal(events.length, 2);
});
