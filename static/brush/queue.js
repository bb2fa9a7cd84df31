// The dealer tablet's queue: taps wait here until the server has answered, also across a reload.
//
// One command at a time, in order. What the server may still carry out stays: no answer, 5xx, 408, 425, 429,
// and 401, 403 or a redirect (somebody has to sign in). What it refused (400, 404, 409, 410, 422) leaves the
// queue with everything that depends on it, and is kept as "refused" until the screen says that it was read.
// A command travels with the sign-in that tapped it (`X-Sign-In`) and with that one's secret (proof.js), never as whoever
// deals next.
//
//   const queue = await openQueue({ proof });
//   await queue.add({ url: "/api/v1/tables/4/hands/undo", body: { hand_id: "…" }, kind: "fact", signIn });
//
// Events of the queue: `change` (also on window: `brush:queue` {count, state}), `done` {item, status, html},
// `refused` {item, status, html}, with status 0 for what was stopped behind a refused one. It imports nothing that needs the server.

import { headersFor, newTap } from "./commands.js";
import { forgetAllBut, secretOf } from "./proof.js";
import { committed, openStore, result } from "./store.js";
import { setWaiting } from "./strip.js";

/** @import { Item, Refused } from "./queued.d.ts" */

const JSON_TYPE = "application/json";
const TIMEOUT_MS = 8000;
const RETRY_MS = [500, 1000, 2000, 4000, 8000];
const REFUSED = new Set([400, 404, 409, 410, 422]);
const NEEDS_SIGN_IN = new Set([0, 401, 403]);

/**
 * Open the queue of this browser and begin to send what waits in it.
 * @param {{proof?: string}} [page] - the hash of the secret of the page's own sign-in
 * @returns {Promise<CommandQueue>}
 */
export async function openQueue({ proof = "" } = {}) {
  const queue = new CommandQueue(await openStore(), proof);
  await queue.refresh();
  await queue.forgetProofs();
  queue.wake();
  return queue;
}

export class CommandQueue extends EventTarget {
  /** @param {IDBDatabase} store @param {string} proof */
  constructor(store, proof) {
    super();
    this.store = store;
    this.proof = proof;
    /** "idle", "sending", "waiting" (no answer) or "held" (somebody has to sign in). */
    this.state = "idle";
    /** @type {Item[]} */
    this.items = [];
    this.isRunning = false;
    this.tries = 0;
    this.timer = 0;
    window.addEventListener("online", () => this.wake());
    window.addEventListener("brush:connection", (event) => {
      if (event.detail.state === "live" || event.detail.state === "behind") this.wake();
    });
  }

  /** How many commands wait. */
  get count() {
    return this.items.length;
  }

  /**
   * Keep a command, then send it as soon as its turn comes. Resolves once it is safe on the disk.
   * @param {{url: string, body: object, kind: "fact" | "request", signIn: string,
   *          dependsOn?: string[]}} command
   * @returns {Promise<Item>}
   */
  async add({ url, body, kind, signIn, dependsOn = [] }) {
    const tap = newTap();
    const item = { ...tap, tappedAtLocal: Date.now(), url, body, kind, signIn, proof: this.proof, dependsOn };
    const transaction = this.store.transaction("items", "readwrite", { durability: "strict" });
    const order = await result(transaction.objectStore("items").add(item));
    await committed(transaction);
    await this.refresh();
    this.wake();
    return /** @type {Item} */ ({ ...item, order });
  }

  /** Return what was refused and not read yet. @returns {Promise<Refused[]>} */
  refused() {
    return result(this.store.transaction("refused").objectStore("refused").getAll());
  }

  /** Forget a refusal that was read. @param {string} id */
  async read(id) {
    const transaction = this.store.transaction("refused", "readwrite");
    transaction.objectStore("refused").delete(id);
    await committed(transaction);
  }

  /** Try again now. */
  wake() {
    clearTimeout(this.timer);
    this.tries = 0;
    this.run();
  }

  /** Read again what waits, and tell the strip and the screen. */
  async refresh() {
    this.items = await result(this.store.transaction("items").objectStore("items").getAll());
    this.tell();
  }

  /** Tell the strip and the screen how many taps wait. */
  tell() {
    setWaiting("queue", this.count, this.items[0]?.tappedAtLocal ?? 0);
    const detail = { count: this.count, state: this.state };
    this.dispatchEvent(new CustomEvent("change", { detail }));
    window.dispatchEvent(new CustomEvent("brush:queue", { detail }));
  }

  async run() {
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      while (this.items.length && (await this.sendFirst()));
    } finally {
      this.isRunning = false;
    }
    if (!this.items.length) this.state = "idle";
    else this.timer = setTimeout(() => this.run(), RETRY_MS[Math.min(this.tries++, RETRY_MS.length - 1)]);
    this.tell();
  }

  /** Send the first command; true when it has left the queue. */
  async sendFirst() {
    const item = this.items[0];
    const gone = new Set((await this.refused()).map((refused) => refused.id));
    if (item.dependsOn.some((id) => gone.has(id))) {
      await this.refuse({ id: item.id, item, status: 0, html: "" });
      return true;
    }
    this.state = "sending";
    const answer = await this.send(item);
    if (answer.isDone) {
      await this.leave(item);
      this.dispatchEvent(new CustomEvent("done", { detail: { item, ...answer } }));
    } else if (REFUSED.has(answer.status)) {
      await this.refuse({ id: item.id, item, status: answer.status, html: answer.html });
    } else {
      this.state = answer.hasAnswer && NEEDS_SIGN_IN.has(answer.status) ? "held" : "waiting";
      return false;
    }
    this.tries = 0;
    return true;
  }

  /**
   * @param {Item} item
   * @returns {Promise<{isDone: boolean, hasAnswer: boolean, status: number, html: string}>}
   */
  async send(item) {
    const asks = { "Content-Type": JSON_TYPE, Accept: JSON_TYPE };
    const headers = { ...headersFor(item), ...asks, "X-Sign-In": item.signIn, "X-Tap-Proof": await secretOf(this.store, item.proof ?? "") };
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), TIMEOUT_MS);
    try {
      const response = await fetch(item.url, {
        method: "POST", body: JSON.stringify(item.body), headers, redirect: "manual", credentials: "same-origin", signal: patience.signal,
      });
      const html = await response.text();
      // A page of a proxy or a hotel's wifi says 200 too: only our own word lets a command go.
      const isOurs = (response.headers.get("Content-Type") ?? "").includes(JSON_TYPE);
      return { isDone: response.ok && isOurs, hasAnswer: true, status: response.status, html };
    } catch {
      return { isDone: false, hasAnswer: false, status: 0, html: "" };
    } finally {
      clearTimeout(timer);
    }
  }

  /** @param {Refused} refused */
  async refuse(refused) {
    await this.leave(refused.item, refused);
    this.dispatchEvent(new CustomEvent("refused", { detail: refused }));
  }

  /** @param {Item} item @param {Refused} [refused] */
  async leave(item, refused) {
    const transaction = this.store.transaction(["items", "refused"], "readwrite", { durability: "strict" });
    transaction.objectStore("items").delete(item.order);
    if (refused) transaction.objectStore("refused").put(refused);
    await committed(transaction);
    await this.refresh();
    if (item.proof && item.proof !== this.proof) await this.forgetProofs();
  }

  /** Forget the secrets of sign-ins whose last tap is answered. */
  forgetProofs() {
    return forgetAllBut(this.store, new Set([this.proof, ...this.items.map((item) => item.proof ?? "")]));
  }
}
