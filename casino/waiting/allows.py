"""The waiting lists and players' phones: who may do what there."""

from casino.people.permissions import FLOOR, GUEST, PUBLIC, TIME, allow

allow(
    {
        # Whoever comes along may ask for it; it shows something to who holds a pass.
        "page.phone": PUBLIC,
        "audience.pass": GUEST,
        "read.lists": FLOOR,
        "waiting.join_list": FLOOR,
        "waiting.check_in": FLOOR,
        "waiting.call_player": FLOOR,
        "waiting.take_back_call": FLOOR,
        "waiting.strike": FLOOR,
        "waiting.take_back_strike": FLOOR,
        "waiting.drop_out": FLOOR,
        "waiting.grant_more_time": FLOOR,
        "waiting.refuse_more_time": FLOOR,
        "waiting.say_on_the_way": GUEST,
        "waiting.ask_more_time": GUEST,
        "waiting.drop_by_phone": GUEST,
        "waiting.fetch_chips": FLOOR,
        "waiting.reorder_list": FLOOR,
        "waiting.let_call_run_out": TIME,
        "waiting.wait_with_right": FLOOR,
        "waiting.measure_turnover": TIME,
    },
    shown_at_tables=["page.phone"],
)
