// Proof that a tap was made under its sign-in. When a PIN is typed the page makes a secret and sends its hash with the
// PIN; the secret stays on this tablet until the last tap of that sign-in is answered. A tap that arrives after the
// sign-in has ended shows it (`X-Tap-Proof`); without it the tap waits for the floor (casino/people/earlier.py).

import { committed, openStore, result } from "./store.js";

/** @param {ArrayBuffer | Uint8Array} bytes */
const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Make and keep a secret; resolves to its hash, or to "" where this browser makes none: hashing needs HTTPS or this
 * machine's own address. A sign-in goes on without.
 * @returns {Promise<string>}
 */
export async function newProof() {
  if (!crypto.subtle) return "";
  try {
    const secret = hex(crypto.getRandomValues(new Uint8Array(32)));
    const hash = hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret)));
    const store = await openStore();
    const transaction = store.transaction("proofs", "readwrite", { durability: "strict" });
    transaction.objectStore("proofs").add({ hash, secret });
    await committed(transaction);
    store.close();
    return hash;
  } catch {
    return "";
  }
}

/**
 * Return the secret behind a hash, "" for none.
 * @param {IDBDatabase} store
 * @param {string} hash
 * @returns {Promise<string>}
 */
export async function secretOf(store, hash) {
  const found = hash ? await result(store.transaction("proofs").objectStore("proofs").get(hash)) : null;
  return found?.secret ?? "";
}

/**
 * Forget every secret but these.
 * @param {IDBDatabase} store
 * @param {Set<string>} needed - hashes
 */
export async function forgetAllBut(store, needed) {
  const transaction = store.transaction("proofs", "readwrite");
  const proofs = transaction.objectStore("proofs");
  for (const hash of await result(proofs.getAllKeys())) if (!needed.has(String(hash))) proofs.delete(hash);
  await committed(transaction);
}
