"""Players' own phones: a pass from the floor, the page behind it, and what a called player answers there."""

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.waiting import TOO_LATE, granted, is_soon_over, or_broken, tap_one
from casino.simulation.broken import Broken
from casino.simulation.lists import Says, Wait
from casino.simulation.screens import Screen

if TYPE_CHECKING:
    from casino.simulation.night import Night

# So many an evening: each is one more screen that is held against its page.
PHONES_MAX = 5
SHOWN = "a phone shows what was answered"
_CODE = re.compile(r'class="pass-code mono">([^<]+)<')
_AUDIENCE = re.compile(r'data-audience="(pass\.\d+)"')
# What the page says of each answer, while the call runs.
ON_THE_WAY = "The floor knows that you are on your way."
WANTS_MORE_TIME = "You asked for more time."
REFUSED = "The floor cannot give you more time."


@behaviour("a player gets a pass for the phone", weight=12)
def gets_a_pass(night: "Night") -> str | None:
    """
    Have the floor give a called player, or else one who waits, a pass: its code opens the player's own page on a phone.

    That page is one more screen to hold against the house. Nothing happens while PHONES_MAX players who wait have one,
    or where the house has switched phones off.
    """
    if not night.has_lists or not night.has_phones or not night.instance.takes_codes:
        return None
    if len(night.phones) >= PHONES_MAX:
        waiting = {wait.player.id for _, wait in night.lists.live()}
        _put_away(night, set(night.phones) - waiting)
        if len(night.phones) >= PHONES_MAX:
            return None
    waits = [wait for _, wait in night.lists.live() if wait.player.id not in night.phones]
    if not waits:
        return None
    player = night.rng.choice([wait for wait in waits if wait.called_to] or waits).player
    # A pass is shown once, so this tap travels well: what was to befall it befalls the next one.
    manner, night.manner = night.manner, None
    answer = night.tap(night.staff.floor, f"/floor/players/{player.id}/pass/")
    night.manner = manner
    if answer.code == "phones_off":
        night.has_phones = False
        return "this house has none"
    shown = _CODE.search(answer.text)
    if not answer.is_done or shown is None:
        raise Broken("what may be done is done", f"a pass for {player.nickname}: {answer.status} {answer.text[:300]}")
    phone = night.staff.phone(player.nickname)
    phone.type_in("/my/", "code", shown.group(1).strip())
    audience = _AUDIENCE.search(phone.get("/my/").text)
    if audience is None:
        raise Broken("a pass opens the player's page", player.nickname)
    night.phones[player.id] = phone
    screen = Screen(url=night.instance.url, page="/my/", audiences=(audience.group(1),), cookies=dict(phone.cookies))
    screen.open()
    night.screens.append((screen, phone))
    return player.nickname


@behaviour("a called player answers from the phone", weight=12)
def answers(night: "Night") -> str | None:
    """Have a called player tap on the phone "on my way", "more time" (time runs on) or "drop me" (the seat is free)."""
    waits = [wait for _, wait in night.lists.live() if wait.called_to and wait.player.id in night.phones]
    if not waits:
        return None
    wait = night.rng.choice(waits)
    what = night.rng.choices(["on-the-way", "more", "drop"], [4, 4, 1])[0]
    if not _taps(night, wait, what):
        return "time was faster"
    if what == "drop":
        wait.ends("dropped")
    elif what == "more":
        # More time that the floor has refused cannot be requested again for the same call.
        wait.says = replace(wait.says, asks_more=not wait.says.is_refused)
    else:
        wait.says = replace(wait.says, is_on_the_way=True)
    _page_says(night, wait)
    return f"{wait.player.nickname}: {what}"


@behaviour("a player leaves a list by the phone", weight=0.7)
def leaves_by_phone(night: "Night") -> str | None:
    waits = [wait for _, wait in night.lists.live() if not wait.called_to and wait.player.id in night.phones]
    if not waits:
        return None
    wait = night.rng.choice(waits)
    _taps(night, wait, "drop")
    wait.ends("dropped")
    return wait.player.nickname


@behaviour("the floor answers who asks for more time", weight=12)
def is_answered(night: "Night") -> str | None:
    """Have the floor grant more time to a called player who requests it by phone, or, in two cases of five, deny it."""
    called = [wait for _, wait in night.lists.live() if wait.called_to]
    asking = [wait for wait in called if wait.says.asks_more]
    if not asking:
        return None
    if night.rng.random() < 0.6:
        return tap_one(night, asking, "more-time", granted)
    return tap_one(night, asking, "no-more-time", lambda wait, _: _is_refused(wait))


@behaviour("a phone answers for somebody else", weight=0.7)
def answers_for_another(night: "Night") -> str | None:
    """Have a phone answer for another player's place on a list; refused: a pass acts for its own player alone."""
    waits = [wait for _, wait in night.lists.live()]
    phones = sorted(night.phones)
    if not waits or not phones:
        return None
    wait, player = night.rng.choice(waits), night.rng.choice(phones)
    if wait.player.id == player:
        return None
    what = night.rng.choice(["on-the-way", "more", "drop"])
    return night.refused(night.phones[player], f"/my/{wait.id}/{what}/", code="not_found")


def put_phones_away(night: "Night") -> None:
    """Put all phones away and close their screens at the evening's end: passes end with the gaming day."""
    _put_away(night, set(night.phones))


def _put_away(night: "Night", players: set[int]) -> None:
    """Put the phones of these players (by id) away and close their screens."""
    phones = [night.phones.pop(player) for player in players]
    for screen, _ in [each for each in night.screens if each[1] in phones]:
        screen.close()
    night.screens = [each for each in night.screens if each[1] not in phones]


def _taps(night: "Night", wait: Wait, what: str) -> bool:
    """Tap on the player's phone; False where the call ends meanwhile. :raises Broken: refused for another reason."""
    path = f"/my/{wait.id}/{what}/"
    answer = night.tap(night.phones[wait.player.id], path)
    if not answer.is_done:
        or_broken(answer.code in TOO_LATE and is_soon_over(night, wait), f"{path}: {answer.status} {answer.text[:300]}")
        return False
    if what == "drop":
        # The page names no version, and an entry that has ended is not looked at: a call ends first, then the waiting.
        wait.version += 2 if wait.called_to else 1
    return True


def _is_refused(wait: Wait) -> None:
    wait.says = replace(wait.says, asks_more=False, is_refused=True)


def _page_says(night: "Night", wait: Wait) -> None:
    """Hold the player's page against the answers of player and floor to the call. :raises Broken: it shows others."""
    if wait.called_to and is_soon_over(night, wait):
        return
    page = night.phones[wait.player.id].get("/my/").text
    says = wait.says if wait.called_to else Says()
    is_refused = says.is_refused and not says.asks_more
    expected = {ON_THE_WAY: says.is_on_the_way, WANTS_MORE_TIME: says.asks_more, REFUSED: is_refused}
    wrong = [text for text, is_shown in expected.items() if (text in page) != is_shown]
    if wrong:
        raise Broken(SHOWN, f"{wait}: {wrong}")
