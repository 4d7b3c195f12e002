import assert from "node:assert/strict";
import { test } from "node:test";
import { polling } from "../../static/js/lib/polling.js";

const STATE = "/state/";
const QUIET = { status: 200, body: { type: "snapshot", frame: null } };

function answered({ status = 200, body = {} }) {
  return { ok: status < 300, status, headers: new Map([["content-type", "application/json"]]), json: async () => body };
}

// A server that answers a post when it is told to; state() is what a look gets.
function desk({ state = () => QUIET } = {}) {
  const posts = [];
  const heard = [];
  let ticking = true;
  const ask = (url, { body } = {}) => {
    if (url === STATE) return Promise.resolve(answered(state()));
    return new Promise((resolve, reject) => posts.push({ message: JSON.parse(body), answer: (given) => resolve(answered(given)), fail: reject }));
  };
  const clock = { setInterval: () => 1, clearInterval: () => (ticking = false) };
  const line = polling({ stateUrl: STATE, pictures: "/frame/", actUrl: "/act/", on: (event) => heard.push(event), picture: () => undefined, shown: () => null, ask, clock });
  return { line, posts, heard, ticking: () => ticking };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 0));

test("a draft is over before the turn that was made of it is told", async () => {
  const { line, posts } = desk();
  line.send({ type: "draft", text: "half a" });
  line.send({ type: "act", reply: "half a sentence" });
  await soon();
  assert.deepEqual(posts.map(({ message }) => message.type), ["draft"]);
  posts[0].answer({ body: { events: [{ type: "drafted", stamp: "1" }] } });
  await soon();
  assert.deepEqual(posts.map(({ message }) => message.type), ["draft", "act"]);
});

test("what the server answers is heard, and one that failed holds nothing up", async () => {
  const { line, posts, heard } = desk();
  line.send({ type: "draft", text: "a" });
  await soon();
  posts[0].fail(new TypeError("network"));
  line.send({ type: "draft", text: "ab" });
  await soon();
  posts[1].answer({ body: { events: [{ type: "drafted", stamp: "1" }] } });
  await soon();
  assert.equal(heard.filter((event) => event.type === "drafted").length, 1);
});

test("where there is nothing to do in the store any more, the way on is told, once", async () => {
  const { heard, ticking } = desk({ state: () => ({ status: 409, body: { next_url: "/p/x/" } }) });
  await soon();
  assert.deepEqual(heard, [{ type: "ended", end_reason: "", next_url: "/p/x/" }]);
  assert.equal(ticking(), false);
});
