// What a tablet keeps across reloads and nights without a connection: taps that wait, refusals nobody has read, and
// the secrets that prove whose the taps are. One database of the browser; queue.js and proof.js use it.

/** @template Result @param {IDBRequest<Result>} request @returns {Promise<Result>} */
export function result(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @param {IDBTransaction} transaction @returns {Promise<void>} */
export function committed(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
}

/** @returns {Promise<IDBDatabase>} */
export async function openStore() {
  const request = indexedDB.open("brush-queue", 2);
  request.onupgradeneeded = ({ oldVersion }) => {
    if (oldVersion < 1) {
      request.result.createObjectStore("items", { keyPath: "order", autoIncrement: true });
      request.result.createObjectStore("refused", { keyPath: "id" });
    }
    request.result.createObjectStore("proofs", { keyPath: "hash" });
  };
  const store = await result(request);
  // Another page with a newer version of this file is not kept waiting.
  store.onversionchange = () => store.close();
  return store;
}
