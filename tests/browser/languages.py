"""The five languages on a screen at its device's size: what is cut off, sticks out, or lies over something else."""

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

LANGUAGES = ("en", "fi", "da", "cs", "sv")


@dataclass(frozen=True)
class Screen:
    """One screen: on which device, under which address, with which sheet open ("" for none), put into which place."""

    name: str
    device: str
    path: str
    sheet: str = ""
    into: str = "#sheet-content"


def speak(page: Page, url: str, language: str) -> None:
    """Have this device speak a language from its next page on, as a tap on the language's name would."""
    cookie: Any = {"name": "django_language", "value": language, "url": url}
    page.context.add_cookies([cookie])


def show(page: Page, screen: Screen) -> None:
    """Load the screen anew and open its sheet."""
    page.goto(screen.path)
    if screen.sheet:
        page.evaluate(
            "([url, target]) => htmx.ajax('GET', url, {target, swap: 'innerHTML'})", [screen.sheet, screen.into]
        )
        page.locator(f"{screen.into} :is(h1, h2, strong)").first.wait_for()


def faults(page: Page) -> list[str]:
    """Return what a person would see as broken: a page that scrolls sideways, words cut off, words on words."""
    return list(page.evaluate(_FAULTS))


# Names may end in an ellipsis: that is what `.name` and a row's `.entry-who` say of themselves. Lists may hide
# what they scroll to; a head that stays in place while they scroll lies over it for that reason.
_FAULTS = r"""() => {
  const HOLDS = "button, .button, label, .chip, th, td, dd, dt, .tile, .strip, .panel";
  const TOUCHED = "button, a.button, select, input:not([type=hidden], [type=radio], [type=checkbox])";
  const STAYS = "thead, .floor-sheet header, [data-glow]";
  const faults = [];
  const root = document.documentElement;
  for (const each of [root, ...document.querySelectorAll("main")]) {
    if (each.scrollWidth > innerWidth) faults.push(`the page is ${each.scrollWidth} wide on ${innerWidth}`);
  }
  const desks = document.querySelector(".desks");
  const hides = desks ? desks.scrollWidth - desks.clientWidth - 1 : 0;
  if (hides > 0) faults.push(`the way between desks hides ${hides} px`);
  const open = document.querySelector("dialog[open]") ?? document.body;
  const isShown = (each, more = {}) => each.checkVisibility({ visibilityProperty: true, ...more });
  const short = (text) => `"${text.trim().slice(0, 50)}"`;

  // The lines of each text, as they are drawn; and whether a box on the way up cuts them.
  const texts = [];
  const walker = document.createTreeWalker(open, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || !isShown(parent, { opacityProperty: true })) continue;
    if (parent.closest("script, style, option, textarea, .visually-hidden, .skip")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = [...range.getClientRects()].filter((line) => line.width > 1 && line.height > 1);
    const mayEnd = parent.closest(".name, .entry-who");
    let isAway = false;
    for (let box = parent; box && box !== open.parentElement && !isAway; box = box.parentElement) {
      const { display, overflowX, overflowY } = getComputedStyle(box);
      if (["inline", "contents"].includes(display)) continue;
      const scrolls = /auto|scroll/.test(overflowX + overflowY);
      if (!scrolls && !/hidden|clip/.test(overflowX) && !box.matches(HOLDS)) continue;
      const { left, right, top, bottom } = box.getBoundingClientRect();
      const where = `${box.tagName.toLowerCase()}.${box.className}`;
      const isWide = lines.some((line) => line.right > right + 1.5 || line.left < left - 1.5);
      const isHigh = lines.some((line) => line.bottom > bottom + 3 || line.top < top - 3);
      const isCut = isWide && !mayEnd && !/auto|scroll/.test(overflowX);
      if (isCut) faults.push(`${short(node.data)} sticks out of ${where}`);
      if (isHigh && !scrolls) faults.push(`${short(node.data)} is higher than ${where}`);
      isAway = scrolls && (isWide || isHigh);
    }
    if (!isAway && !mayEnd && !parent.closest(STAYS)) texts.push({ said: node.data, lines });
  }

  const meet = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 6;
  texts.forEach((one, index) => {
    for (const other of texts.slice(index + 1)) {
      const lies = one.lines.some((a) => other.lines.some((b) => meet(a, b)));
      if (lies) faults.push(`${short(one.said)} lies over ${short(other.said)}`);
    }
  });

  if (matchMedia("(pointer: coarse)").matches) {
    for (const target of open.querySelectorAll(TOUCHED)) {
      if (!isShown(target) || target.closest(".visually-hidden")) continue;
      const { width, height } = target.getBoundingClientRect();
      const size = `${Math.round(width)} by ${Math.round(height)}`;
      if (width < 47.5 || height < 47.5) faults.push(`${short(target.textContent)} is ${size}`);
    }
  }
  return faults;
}"""
