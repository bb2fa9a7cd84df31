"""The rotation of dealers: the line as it is told, and what it promises over an evening."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from tables.rules.rotation import Dealer, Push, TableNeeds, Turns, Worked, in_a_row, proposal

AT = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
TERMS = Turns(down=timedelta(minutes=30), downs_before_break=3, rest=timedelta(minutes=15))


def minutes(count: int) -> datetime:
    return AT + timedelta(minutes=count)


def free(dealer: int, *, since: int = 0, row: int = 0, downs: int = 0) -> Dealer:
    return Dealer(dealer, downs, {TERMS: row}, minutes(since))


def dealing(dealer: int, *, row: int = 1, downs: int = 1) -> Dealer:
    return Dealer(dealer, downs, {TERMS: row}, None)


def needs(number: int, dealer: int | None, since: datetime | None, turns: Turns = TERMS) -> TableNeeds:
    return TableNeeds(number, dealer, since, turns)


def test_who_has_rested_longest_goes_to_the_table_that_has_waited_longest():
    tables = [needs(1, 11, minutes(10)), needs(2, 12, minutes(0)), needs(3, None, None)]
    dealers = [dealing(11), dealing(12), free(13, since=-5), free(14, since=-20)]

    assert proposal(tables, dealers, at=minutes(20)) == (
        Push(3, 14, None, minutes(20)),
        Push(2, 13, minutes(30), minutes(30)),
        Push(1, 12, minutes(40), minutes(40)),
    )


def test_who_is_due_for_a_break_goes_on_only_once_rested():
    tables = [needs(1, 11, AT), needs(2, 12, minutes(5))]

    pushes = proposal(tables, [dealing(11, row=3), dealing(12), free(13)], at=minutes(20))

    assert pushes == (Push(1, 13, minutes(30), minutes(30)), Push(2, 11, minutes(35), minutes(45)))


def test_where_nobody_is_free_nobody_is_proposed():
    assert proposal([needs(1, 11, AT)], [dealing(11)], at=AT) == (Push(1, None, minutes(30), None),)


def test_each_table_goes_by_the_turns_of_its_own_book():
    quick = Turns(down=timedelta(minutes=20), downs_before_break=2, rest=timedelta(minutes=20))
    rows = {TERMS: 2, quick: 2}
    tables = [needs(1, 11, minutes(0)), needs(2, 12, minutes(5), quick)]
    dealers = [Dealer(11, 1, rows, None), Dealer(12, 1, rows, None), Dealer(13, 2, rows, minutes(20))]

    # Table 2 is due first, and by its book who is free has two downs behind and rests until 0:40.
    assert proposal(tables, dealers, at=minutes(20)) == (
        Push(2, 13, minutes(25), minutes(40)),
        Push(1, 12, minutes(30), minutes(30)),
    )


def test_a_gap_shorter_than_a_break_is_none():
    short = [Worked(minutes(0), minutes(30)), Worked(minutes(40), minutes(70))]
    long = [Worked(minutes(0), minutes(30)), Worked(minutes(45), minutes(75))]

    assert in_a_row(short, TERMS, at=minutes(75)) == 2
    assert in_a_row(long, TERMS, at=minutes(75)) == 1
    assert in_a_row(long, TERMS, at=minutes(90)) == 0


def test_who_is_not_relieved_works_on():
    assert in_a_row([Worked(minutes(0))], TERMS, at=minutes(20)) == 1
    assert in_a_row([Worked(minutes(0))], TERMS, at=minutes(90)) == 3


@given(
    dealers=st.lists(
        st.builds(
            Dealer,
            st.integers(1, 40),
            st.integers(0, 9),
            st.integers(0, 5).map(lambda row: {TERMS: row}),
            st.none() | st.just(AT),
        ),
        unique_by=lambda each: each.id,
    ),
    tables=st.integers(1, 8),
)
def test_nobody_is_proposed_twice_nor_where_they_deal_nor_past_their_break(dealers: list[Dealer], tables: int):
    there = [dealer.id for dealer in dealers if dealer.free_since is None]
    every = [
        needs(n, there[n - 1], minutes(n)) if n <= len(there) else needs(n, None, None) for n in range(1, tables + 1)
    ]
    deals_at = {table.number: table.dealer_id for table in every}
    given_dealers = {dealer.id: dealer for dealer in dealers}
    at = minutes(20)

    pushes = proposal(every, dealers, at=at)

    proposed = [push.dealer_id for push in pushes if push.dealer_id is not None]
    assert len(pushes) == tables
    assert len(set(proposed)) == len(proposed)
    for push in pushes:
        if push.dealer_id is None:
            continue
        assert push.dealer_id != deals_at[push.table_number]
        assert push.ready_at is not None
        assert push.ready_at >= at
        dealer = given_dealers[push.dealer_id]
        if dealer.free_since is not None and dealer.in_a_row[TERMS] >= TERMS.downs_before_break:
            assert push.ready_at >= dealer.rested_at(TERMS)


@given(tables=st.integers(1, 12), before_break=st.integers(1, 4), more=st.integers(0, 4), rounds=st.integers(1, 30))
def test_with_enough_dealers_nobody_deals_past_their_break_and_downs_stay_even(
    tables: int, before_break: int, more: int, rounds: int
):
    """Enough: as many beside those who deal as must rest at any time, one in `downs_before_break` of them."""
    terms = Turns(TERMS.down, before_break, TERMS.rest)
    count = tables + -(-tables // before_break) + more
    worked: dict[int, list[Worked]] = {dealer: [] for dealer in range(count)}
    deals: dict[int, int] = {}
    for turn in range(rounds):
        at = AT + turn * terms.down
        people = []
        for dealer, stretches in worked.items():
            is_free = not stretches or stretches[-1].ended_at is not None
            last = stretches[-1].ended_at if stretches else AT - terms.down
            row = in_a_row(stretches, terms, at=(stretches[-1].ended_at or at) if stretches else at)
            people.append(Dealer(dealer, len(stretches), {terms: row}, last if is_free else None))
        every = [
            needs(n, deals.get(n), worked[deals[n]][-1].began_at if n in deals else None, terms) for n in range(tables)
        ]
        for push in proposal(every, people, at=at):
            assert push.dealer_id is not None
            assert push.ready_at == at, "a table waits though there are enough dealers"
            if push.table_number in deals:
                stretches = worked[deals[push.table_number]]
                if stretches[-1].ended_at is None:
                    stretches[-1] = Worked(stretches[-1].began_at, at)
            worked[push.dealer_id].append(Worked(at))
            deals[push.table_number] = push.dealer_id
        now = AT + (turn + 1) * terms.down
        for stretches in worked.values():
            # Two downs more than the setting is what must never be; the proposal keeps to the setting itself.
            assert in_a_row(stretches, terms, at=now) <= before_break
    downs = [len(stretches) for stretches in worked.values()]
    assert max(downs) - min(downs) <= 2
