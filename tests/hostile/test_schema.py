"""
Schemathesis against the house's own OpenAPI document, with a token of every role and with none.

Whatever comes in, no call breaks, each answers as it declares, and nobody is answered who may not ask.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode

from casino import clock
from tests.api.document import document
from tests.cast import TONIGHT
from tests.hostile.schema_asking import calls, dressed, in_process, judge, send, who_may
from tests.hostile.schema_room import Evening, an_evening

# One transaction is open for the whole file: beside none that asks which are open (tests/live/test_hub.py).
pytestmark = pytest.mark.xdist_group("a transaction stays open")
DOCUMENT: dict[str, Any] = document()
CALLS = calls(DOCUMENT)
PROFILE = settings(
    deadline=None,
    derandomize=True,
    database=None,
    # What fails is a request that can be read as it is; making it smaller takes minutes.
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def evening(django_db_setup: None, django_db_blocker) -> Iterator[Evening]:
    """Return the room, made once; no test keeps what it did there."""
    with django_db_blocker.unblock(), transaction.atomic():
        with clock.frozen(TONIGHT + timedelta(minutes=30)):
            yield an_evening()
        transaction.set_rollback(True)


def ask_all_kinds(evening: Evening, call: Any, *, examples: int) -> None:
    """Have schemathesis make up requests for a call, some that fit it and some that do not."""
    fit, unfit = call.as_strategy(GenerationMode.POSITIVE), call.as_strategy(GenerationMode.NEGATIVE)
    anybody, welcome = st.sampled_from(evening.visitors), st.sampled_from(who_may(call, evening))
    session = in_process()

    @settings(PROFILE, max_examples=examples)
    @given(data=st.data())
    def ask(data: st.DataObject) -> None:
        # Most often one who may asks for something that is well said: that is what comes far.
        visitor = data.draw(data.draw(st.sampled_from([welcome, welcome, anybody])))
        case = data.draw(data.draw(st.sampled_from([fit, fit, unfit])))
        dressed(data.draw, case, evening)
        with transaction.atomic():
            response = send(case, visitor, session)
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            transaction.set_rollback(True)
        judge(case, response, visitor)

    ask()


# To make up a first request of a call costs more than to ask it. In the quick run `tests/api/test_bad_input.py` asks
# each what nobody needs to make up.
@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS, ids=[call.label for call in CALLS])
def test_every_call_answers_as_it_declares_whatever_is_asked(evening: Evening, call: Any):
    ask_all_kinds(evening, call, examples=6)
