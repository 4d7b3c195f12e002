// Ask for a small JSON document again and again, but never twice at once, and not while nobody looks.
export function refresh(address, every, use, fail) {
  let timer = null;
  async function once() {
    if (!document.hidden) {
      try {
        const answer = await fetch(address, { headers: { accept: "application/json" } });
        if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
        use(await answer.json());
      } catch (problem) {
        fail(problem);
      }
    }
    timer = setTimeout(once, every);
  }
  once();
  return () => clearTimeout(timer);
}
