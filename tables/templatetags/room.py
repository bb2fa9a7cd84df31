"""How screens of the tables write what a room counts in."""

from django import template
from django.utils.html import format_html
from django.utils.translation import gettext as _

from casino import clock
from casino.ledger.templatetags.money import difference, money
from casino.rooms.models import Room
from casino.rooms.selectors import rule_book_in_force
from tables.charges import ChargeKind, charge_kinds
from tables.models import Game, Table
from tables.rules.entry import WayIn

register = template.Library()
register.filter("money", money)
register.filter("signed_money", difference)


@register.filter
def cost(way: WayIn, room: Room) -> str:
    """
    Write what a way into the blinds costs: `{{ way|cost:room }}`.

    It is what is put in front, live, and what goes straight into the pot, dead (H4.40): "4 € + 2 € dead".
    """
    live = money(way.live_cents, room)
    if not way.dead_cents:
        return live
    return _("%(live)s + %(dead)s dead") % {"live": live, "dead": money(way.dead_cents, room)}


@register.simple_tag(name="charge_kinds")
def all_charge_kinds() -> list[ChargeKind]:
    """Return every kind of charge of a hand: `{% charge_kinds as kinds %}`."""
    return list(charge_kinds())


@register.filter
def posted_charges(game: Game, room: Room) -> list[str]:
    """Write what else hands of a game are charged, a sentence each: `{% for line in game|posted_charges:room %}`."""
    lines = (kind.posted(game.charges.get(kind.code), lambda cents: money(cents, room)) for kind in charge_kinds())
    return [line for line in lines if line]


@register.simple_tag
def buy_ins(table: Table) -> tuple[int, ...]:
    """Return the buy-ins of what a table runs that are one tap away: `{% buy_ins table as amounts %}`. No query."""
    return table.opening.terms.quick_buy_ins if table.opening else ()


@register.simple_tag
def asks_above(in_play_cents: int, room: Room) -> str:
    """
    Return what has a form ask once about more chips than lie in play: `<form {% asks_above cents room %}>`.

    Counts that could not be have taken more out of play than there was: then nothing lies there.
    """
    in_play_cents = max(in_play_cents, 0)
    too_much = _("That is more than lies in play at this table: %(amount)s. Count again.")
    return format_html(
        'data-most-cents="{}" data-too-much="{}" data-stands="{}" data-recount="{}"',
        in_play_cents, too_much % {"amount": money(in_play_cents, room)}, _("Counted: it is so"), _("Count again"),
    )  # fmt: skip


@register.filter
def card(text: str) -> str:
    """Write a card as people read it: "Td" is `10♦`."""
    return text[:-1].replace("T", "10") + dict(zip("cdhs", "♣♦♥♠", strict=True))[text[-1]]


@register.filter
def amount(cents: int | None) -> str:
    """Write cents as a form's field takes them: "200", "12.50"."""
    if cents is None:
        return ""
    return str(cents // 100) if cents % 100 == 0 else f"{cents // 100}.{cents % 100:02d}"


@register.simple_tag
def cited(reason: str, text: str, where: Table | Room) -> str:
    """
    Write a sentence led by the clause on which the house founds it: `{% cited "plays_over" why table %}`.

    The book is the one under which the table was opened; of a room, the one in force. One query for a room.
    """
    if isinstance(where, Room):
        book = rule_book_in_force(where.pk, at=clock.now())[1]
    elif where.opening:
        book = where.opening.book
    else:
        return text
    # What a block wrote is safe already, and is to stay so behind its clause.
    return format_html("{}{}", book.leads(reason, ""), text)
