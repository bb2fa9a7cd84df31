"""What the tablet's queue makes of each answer, and as whom it sends: queue.js without a browser."""

from typing import Any

from tests.support.scripts import run_script

# A page of nothing, a store in memory, and a server that gives the answers it is told.
_QUEUE = """async (plays) => {
  globalThis.window = globalThis;
  globalThis.document = { cookie: "", documentElement: { dataset: {} }, querySelectorAll: () => [],
                          querySelector: () => null, addEventListener() {} };
  globalThis.setInterval = () => 0;
  const { CommandQueue } = await import("/static/brush/queue.js");
  const soon = (call) => {
    const request = {};
    queueMicrotask(() => { request.result = call(); request.onsuccess?.(); });
    return request;
  };
  const played = async ({ answers, items }) => {
    const kept = {
      items: new Map(items.map((item) => [item.order, item])),
      refused: new Map(),
      proofs: new Map([["anna", { secret: "of Anna" }], ["dan", { secret: "of Dan" }]]),
    };
    const objectStore = (name) => ({
      getAll: () => soon(() => [...kept[name].values()]), getAllKeys: () => soon(() => [...kept[name].keys()]),
      get: (key) => soon(() => kept[name].get(key)),
      delete: (key) => soon(() => kept[name].delete(key)), put: (row) => soon(() => kept[name].set(row.id, row)),
    });
    const transaction = () => {
      const begun = { objectStore };
      setTimeout(() => begun.oncomplete?.(), 0);
      return begun;
    };
    const sent = [];
    globalThis.fetch = async (url, { headers, redirect }) => {
      sent.push([url, headers["X-Sign-In"], headers["X-Tap-Proof"], redirect]);
      const [status, type] = answers.shift();
      if (status === null) throw new TypeError("nobody answers");
      return { ok: status >= 200 && status < 300, status, text: async () => "",
               headers: new Headers({ "Content-Type": type }) };
    };
    const queue = new CommandQueue({ transaction }, "dan");
    await queue.refresh();
    while (queue.items.length && answers.length) await queue.sendFirst();
    return { sent, state: queue.state, waits: queue.items.map((item) => item.id), refused: [...kept.refused.keys()] };
  };
  const found = [];
  for (const play of plays) found.push(await played(play));
  return found;
}"""
JSON, PAGE = "application/json", "text/html"


def item(order: int, *, by: str = "anna", depends_on: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "order": order, "id": f"tap-{order}", "url": f"/{order}", "body": {}, "signIn": by, "proof": by,
        "tappedAt": "2026-11-20T18:00:00Z", "dependsOn": list(depends_on),
    }  # fmt: skip


def played(*plays: tuple[list[tuple[int | None, str]], list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Return what became of the items of each play, with the server's answers to those that were sent."""
    return list(run_script(_QUEUE, [{"answers": answers, "items": items} for answers, items in plays]))


def test_what_may_still_be_carried_out_stays() -> None:
    waiting = [(None, ""), (500, JSON), (503, JSON), (408, JSON), (425, JSON), (429, JSON)]
    # A page of a proxy or of a hotel's wifi says 200 too. A redirect that is not followed is a 0: to the door.
    waiting.append((200, PAGE))
    held = [(401, JSON), (403, JSON), (0, "")]

    queues = played(*[([answer], [item(1)]) for answer in waiting + held])

    assert [each["state"] for each in queues] == ["waiting"] * len(waiting) + ["held"] * len(held)
    assert all((each["waits"], each["refused"]) == (["tap-1"], []) for each in queues)


def test_what_was_refused_goes_with_what_depends_on_it_and_is_kept_until_it_is_read() -> None:
    items = [item(1), item(2, depends_on=("tap-1",)), item(3), item(4), item(5), item(6), item(7)]

    (queue,) = played(([(status, JSON) for status in (422, 400, 404, 409, 410, 200)], items))

    assert queue["waits"] == []
    assert queue["refused"] == [f"tap-{order}" for order in range(1, 7)]
    assert [url for url, *_ in queue["sent"]] == ["/1", "/3", "/4", "/5", "/6", "/7"]


def test_a_tap_goes_as_whoever_tapped_it_with_the_proof_of_that_sign_in() -> None:
    (queue,) = played(([(200, JSON)] * 2, [item(1), item(2, by="dan")]))

    assert queue["sent"] == [["/1", "anna", "of Anna", "manual"], ["/2", "dan", "of Dan", "manual"]]
    assert queue["waits"] == []
