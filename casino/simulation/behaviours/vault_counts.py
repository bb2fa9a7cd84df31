"""
The vault counted by two, blind: in the course of a night and at the day's end. At times something is gone from it.

Whoever takes cash, a card slip, chips or a note leaves no slip behind; a fill that is counted out wrongly (`fills`)
leaves more there, or less. Exactly that is missing, or too much, at the next count, on the vault's own accounts.
"""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.faults import may_travel_badly
from casino.simulation.boxes import CASH_VALUES, pieces
from casino.simulation.vault import WHAT, VaultCount

if TYPE_CHECKING:
    from casino.simulation.night import Night

API = "/api/v1/cage/vault"
# What is taken at once: notes, chips, a slip of as much.
TAKEN = {"cash": (20_00, 50_00, 500_00), "chips": (5_00, 25_00, 500_00), "card_slips": (100_00, 200_00)}
# How often the vault is counted at the day's end: where the book wants that each day, and elsewhere.
DAILY_SHARE, ELSEWHERE_SHARE = 0.5, 0.4
# Who may count the vault together: mari signs for no cashier whom she has taken on tonight, and reads the books.
PAIRS, READS_BOOKS = (("carla", "frans"), ("carla", "mari"), ("carlo", "frans")), "mari"


@behaviour("something is gone from the vault", weight=1.5)
def is_robbed(night: "Night") -> str | None:
    """Let cash, chips, a card slip or a note vanish from the vault, with no tap; the next count must find it gone."""
    felt = night.felt
    lies = {what: getattr(felt, f"vault_{what}") for what in TAKEN}
    found = {what: [cents for cents in TAKEN[what] if cents <= lies[what]] for what in TAKEN}
    found["foreign"] = [1] * (night.notes.in_vault.total() > 0)
    if not any(found.values()) or not _may_be_counted(night):
        return None
    what = night.rng.choice([what for what in found if found[what]])
    night.vault.played[f"{what} gone"] += 1
    if what == "foreign":
        currency, value = night.rng.choice(sorted(note for note, count in night.notes.in_vault.items() if count))
        night.notes.is_gone_from_vault((currency, value))
        return f"a note of {value // 100} {currency}"
    cents = night.rng.choice(found[what])
    felt.leaves_vault(what, cents)
    felt.stolen += cents if what == "chips" else 0
    return f"{cents // 100} € in {what}"


@behaviour("two count the vault", weight=1.5)
def is_counted(night: "Night") -> str | None:
    return count(night) if _may_be_counted(night) else None


@behaviour("a count of the vault that differs is looked at", weight=3)
def is_judged(night: "Night") -> str | None:
    """Have floor or manager judge a vault count that differs; refused to whoever counted it or stood beside."""
    counts = [each for each in night.vault.counts if each.is_open]
    if not counts:
        return None
    counted, staff = night.rng.choice(counts), night.staff
    devices = {"frans": staff.floor, "mari": staff.desktop}
    path, were_there = f"{API}/counts/{counted.id}/judge", {counted.counter, counted.beside}
    for name in sorted(were_there & set(devices)):
        night.refused(devices[name], path, code="own_vault_count")
    night.done(devices[min(set(devices) - were_there)], path)
    counted.is_judged = True
    night.vault.played["judged"] += 1
    return f"count {counted.number}"


def vault_at_the_end(night: "Night") -> Iterator[str]:
    """Have two count the vault at the day's end: half the time where the book wants it daily, else two in five."""
    share = DAILY_SHARE if night.plan.daily_vault else ELSEWHERE_SHARE
    if _may_be_counted(night) and night.rng.random() < share:
        yield count(night)


def count(night: "Night") -> str:
    """
    Have two count the vault: what differs must be what was taken, or counted out wrongly, since the last count.

    Refused: a pair of whom each was at the day's last count or reads the books, one person alone, an older version.
    """
    staff, felt, notes = night.staff, night.felt, night.notes
    devices = {"carla": staff.cage, "carlo": staff.cage_too}
    day = staff.desktop.get("/api/v1/cage/day").body["day"]["id"]
    never = night.vault.knew(day) | {READS_BOOKS}
    able = [(pair, counter) for pair in PAIRS if (counter := next((each for each in pair if each not in never), ""))]
    (cashier, second), counter = night.rng.choice(able)
    body: dict[str, Any] = {"cash": pieces(felt.vault_cash, CASH_VALUES), "chips": pieces(felt.vault_chips)}
    body |= {"card_slips_cents": felt.vault_card_slips, "foreign": notes.pieces_in_vault()}
    device, version = devices[cashier], devices[cashier].get(API).version
    unable = [pair for pair in PAIRS if pair not in {pair for pair, _ in able}]
    for first, other in unable[:1]:
        knew = {**body, "second": staff.second(other)}
        night.refused(devices[first], f"{API}/count", knew, code="vault_counted_before", version=version)
    alone = {**body, "second": staff.second(cashier)}
    night.refused(device, f"{API}/count", alone, code="same_person", version=version)
    body["second"] = staff.second(second)
    night.refused(device, f"{API}/count", body, code="vault_moved", version=version - 1)
    may_travel_badly(night)
    data = night.done(device, f"{API}/count", body, version=version).data
    beside = second if counter == cashier else cashier
    counted = _as_felt(night, data, day=day, counter=counter, beside=beside)
    felt.vault_missing.clear()
    notes.are_counted_in_vault()
    night.vault.is_counted(counted)
    _is_read(night, counted)
    return f"{counter} with {beside}: {sum(counted.difference) / 100:.2f} € differs"


def _as_felt(night: "Night", data: dict[str, Any], *, day: int, counter: str, beside: str) -> VaultCount:
    """
    Hold a count's answer against what is really gone; return the count as the felt has it.

    :raises Broken: it differs.
    """
    felt, ids, found = night.felt, night.staff.id_of, night.notes.found_in_vault()
    lay = Counter(cash=felt.vault_cash, card_slips=felt.vault_card_slips, chips=felt.vault_chips)
    missing = Counter({what: felt.vault_missing[what] for what in WHAT})
    lay["foreign"] = sum(each.cents for each in found)
    missing["foreign"] = sum(each.taken_cents - each.cents for each in found)
    number, id = data["vault_count_number"], data["vault_count_id"]
    counted = VaultCount(id, number, day, counter, beside, lay, missing, found)
    answered = [data[f"{what}_difference_cents"] for what in WHAT]
    night.must_equal("what differs in the vault", answered, [-missing[what] for what in WHAT])
    answered = [data["counted_by_id"], data["counted_with_id"], data["unjudged"]]
    night.must_equal("who has counted the vault", answered, [ids(counter), ids(beside), counted.differs])
    return counted


def _is_read(night: "Night", counted: VaultCount) -> None:
    """Check that a manager is shown what lay in the vault and what was expected there, and a cashier neither."""
    path = f"{API}/counts?limit=1"
    (books,), (cage,) = night.staff.desktop.get(path).body, night.staff.cage.get(path).body
    ours = {f"{what}_cents": counted.lay[what] for what in WHAT}
    ours |= {f"expected_{what}_cents": counted.lay[what] + counted.missing[what] for what in WHAT}
    night.must_equal("what lay in the vault, and what was expected", {name: books[name] for name in ours}, ours)
    night.must_equal("what the cage reads of that", {cage[name] for name in ours}, {None})


def _may_be_counted(night: "Night") -> bool:
    """Say whether all that lies in the vault is known: not where foreign notes lay there before the first night."""
    return night.books is not None and night.notes.before is not None and not night.notes.before[0]
