"""What the log says of the lists. Events of before the lists were an app of their own are said alike."""

from django.utils.translation import gettext_lazy as _

from casino.audit.sentences import say

_TEXTS = {
    "join_list": _("{player} joined the list: {game}."),
    "check_in": _("{player} came in from the telephone list."),
    "call_player": _("{player} was called to table {table}, seat {seat}."),
    "take_back_call": _("The call of {player} was taken back."),
    "strike": _("{player} was struck off the list."),
    "take_back_strike": _("{player} is on the list again."),
    "drop_out": _("{player} left the list."),
    "grant_more_time": _("{player} got more time to come."),
    "refuse_more_time": _("{player} got no more time to come."),
    "say_on_the_way": _("{player} said by phone: on the way."),
    "ask_more_time": _("{player} asked for more time by phone."),
    "drop_by_phone": _("{player} left the list by phone."),
    "fetch_chips": _("The seat of {player} is kept while chips are fetched."),
    "reorder_list": _("{player} got another place on the list."),
    "let_call_run_out": _("The call of {player} ran out."),
    "wait_with_right": _("{player} left table {table} and waits with a right to a seat, with {stack_cents}."),
    "measure_turnover": _("Waiting was measured: {seats} seats came free in {minutes} minutes."),
}
say(
    {f"waiting.{name}": text for name, text in _TEXTS.items()},
    before={f"tables.{name}": f"waiting.{name}" for name in _TEXTS},
)
