// The taps of this tablet: kept in the queue until the server has answered, and folded into what is shown until
// a fragment shows that the server has carried them out.

import { headersFor, newTap } from "../commands.js";
import { serverNow } from "../clock.js";
import { openQueue } from "../queue.js";
import { addressOf, REQUESTS, TAPS } from "./calls.js";

/** @import { CommandQueue } from "../queue.js" */
/** @import { Item, Refused } from "../queued.d.ts" */
/** @import { About, Answer, RequestBodies, RequestKind, Tap, TapBodies, TapKind } from "./tapped.d.ts" */
/** @import { Tap as Command } from "../commands.js" */

/** Events: `change`; `refused` {problem}. */
export class Taps extends EventTarget {
  /** @param {{api: string, signIn: string, proof: string}} page */
  constructor({ api, signIn, proof }) {
    super();
    this.api = api;
    this.signIn = signIn;
    this.proof = proof;
    /** Taps that the shown state does not hold yet, in order. @type {Tap[]} */
    this.list = [];
    /** Requests nobody has answered: the same words again are the same command. @type {Map<string, Command>} */
    this.unanswered = new Map();
    /** @type {CommandQueue | null} */
    this.queue = null;
  }

  /** Open the queue; what waited in it before this page was loaded comes first. */
  async open() {
    const queue = await openQueue({ proof: this.proof });
    this.queue = queue;
    const before = queue.items.map((item) => this.read(item)).filter((tap) => tap !== null);
    this.list = [...before, ...this.list];
    listen(queue, "done", (/** @type {{item: Item, html: string}} */ { item, html }) => this.answered(item.id, html));
    listen(queue, "refused", (/** @type {Refused} */ refused) => this.refused(refused));
    for (const refused of await queue.refused()) this.say(refused);
    for (const tap of this.list) if (!tap.id) this.add(queue, tap);
    this.tell();
  }

  /**
   * Ask whether a count is above what lies in play. Without an answer within a second it is not, and while the server is
   * gone or slow it is not asked: nobody waits for it.
   * @param {number} cents
   */
  async isAbovePlay(cents) {
    if (document.documentElement.dataset.connection !== "live") return false;
    try {
      const response = await fetch(`${this.api}/counted?counted_cents=${cents}`, { signal: AbortSignal.timeout(1000) });
      return response.ok && (await response.json()).is_above_play;
    } catch {
      return false;
    }
  }

  /**
   * Carry out a tap: shown at once, sent in its turn; `url` is the call of an act of another app.
   * @template {TapKind} Kind
   * @param {Kind} command @param {TapBodies[Kind]} body
   * @param {About & {dependsOn?: string[]}} [about]
   */
  give(command, body, { seating = null, dependsOn = [], url = "" } = {}) {
    const tap = /** @type {Tap} */ ({ command, body, seating, dependsOn, url, at: new Date(serverNow()).toISOString(), isMine: true });
    this.list.push(tap);
    this.tell();
    if (this.queue) this.add(this.queue, tap);
  }

  /** @param {CommandQueue} queue @param {Tap} tap */
  async add(queue, tap) {
    const url = tap.command === "table-act" ? (tap.url ?? "") : addressOf(this.api, TAPS[tap.command], tap.seating);
    const { body, dependsOn } = tap;
    const item = await queue.add({ url, body, kind: "fact", signIn: this.signIn, dependsOn });
    tap.id = item.id;
  }

  /** The ids of settlements that wait: an undo makes no sense without its hand. @param {string} handId */
  waitingFor(handId) {
    const waits = this.list.filter((tap) => !tap.version && tap.command === "settle" && tap.body.hand_id === handId);
    return waits.map((tap) => tap.id ?? "").filter(Boolean);
  }

  /** Return a queued item as a tap, or null when it is another table's. @param {Item} item @returns {Tap | null} */
  read(item) {
    if (!item.url.startsWith(`${this.api}/`)) return null;
    const path = item.url.slice(this.api.length + 1);
    const [, seating] = path.match(/^seatings\/(\d+)\//) ?? [];
    const [command] = Object.entries(TAPS).find(([, each]) => each === path.replace(/^(seatings)\/\d+/, "$1/{seating}")) ?? ["table-act"];
    const { id, body, tappedAt: at } = item;
    return /** @type {Tap} */ ({ id, command, body, seating: seating ? Number(seating) : null, at, isMine: item.signIn === this.signIn });
  }

  /** @param {string} id @param {string} json */
  answered(id, json) {
    const tap = this.list.find((each) => each.id === id);
    if (!tap) return;
    const { version, data } = parse(json);
    tap.version = version ?? 0;
    // It waits for the floor: whoever tapped it may not be signed in any more.
    if (data?.kept) window.dispatchEvent(new Event("brush:revoked"));
    this.tell();
  }

  /** @param {Refused} refused */
  refused(refused) {
    this.list = this.list.filter((tap) => tap.id !== refused.id);
    this.say(refused);
    this.tell();
  }

  /** Say what was refused; once it is on the screen the queue forgets it. @param {Refused} refused */
  say({ id, html, item }) {
    this.dispatchEvent(new CustomEvent("refused", { detail: { problem: parse(html), item, read: () => this.queue?.read(id) } }));
  }

  /** Forget what the server's state holds by now. @param {number} version - of the table, as shown */
  prune(version) {
    this.list = this.list.filter((tap) => tap.version === undefined || tap.version > version);
  }

  tell() {
    this.dispatchEvent(new Event("change"));
  }

  /**
   * Ask leave for something; the answer is awaited. Nobody answered: null, and the same again is asked only once.
   * @template {RequestKind} Kind
   * @param {Kind} kind @param {RequestBodies[Kind]} body @param {About} about
   * @returns {Promise<{isDone: boolean, body: Answer} | null>}
   */
  async request(kind, body, { seating = null, url = "" }) {
    const address = url || addressOf(this.api, REQUESTS[/** @type {keyof typeof REQUESTS} */ (kind)], seating);
    const words = JSON.stringify([address, body]);
    const tap = this.unanswered.get(words) ?? newTap();
    this.unanswered.set(words, tap);
    const headers = { ...headersFor(tap), "X-Sign-In": this.signIn, "Content-Type": "application/json", Accept: "application/json" };
    try {
      const patience = AbortSignal.timeout(8000);
      const response = await fetch(address, { method: "POST", headers, body: JSON.stringify(body), signal: patience });
      if (response.status >= 500) return null;
      this.unanswered.delete(words);
      return { isDone: response.ok, body: parse(await response.text()) };
    } catch {
      return null;
    }
  }
}

/** Hear the details of somebody's events. @template Detail @param {EventTarget} teller @param {string} name @param {(detail: Detail) => void} hears */
export function listen(teller, name, hears) {
  teller.addEventListener(name, (event) => hears(/** @type {CustomEvent} */ (event).detail));
}

/** @param {string} json @returns {Answer} */
function parse(json) {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}
