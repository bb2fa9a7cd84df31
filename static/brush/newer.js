// After an upgrade: a page that was open meanwhile has old scripts, to which the server's new words may mean nothing.

const AGAIN_MS = 20_000;
let isLooking = false;

/**
 * Load this page anew once the server has newer scripts.
 * @param {() => boolean} isFree - whether nothing would be lost now
 * @param {number} withinMs - how far apart many such pages do it: a server that has just started shall draw them one by one
 */
export function followServer(isFree, withinMs = 0) {
  let notBefore = 0;
  // Each tick says it again, so what is in the way now is looked at once more in a second.
  window.addEventListener("brush:newer", async (event) => {
    notBefore ||= Date.now() + Math.random() * withinMs;
    if (isLooking || Date.now() < notBefore || !isFree()) return;
    isLooking = true;
    const isThere = await isServed(event.detail.files);
    isLooking = false;
    if (!isThere) notBefore = Date.now() + AGAIN_MS * (0.5 + Math.random());
    else if (isFree()) location.reload();
  });
}

/** Whether the page comes with those scripts: while processes start one by one, an old one or none may answer for it. @param {string} files */
async function isServed(files) {
  try {
    const response = await fetch(location.href, { signal: AbortSignal.timeout(4000) });
    return response.ok && (await response.text()).includes(`data-files="${files}"`);
  } catch {
    return false;
  }
}
