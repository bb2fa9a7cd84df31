"""A form is made once for everybody, so two threads may stand in it at once."""

from typing import Any

from rest_framework import serializers
from rest_framework.utils.formatting import lazy_format

from casino.rest import Body, Cents, TextAlone, _form


class Inner(Body):
    amount = Cents(max_value=5)


class Outer(Body):
    name = TextAlone(max_length=3)
    names = serializers.ListField(child=TextAlone(max_length=4), max_length=2)
    inner = Inner()


def test_the_messages_of_a_form_are_put_together_when_it_is_made():
    """DRF forgets a message's parts once it is put together: who stood between the two was answered with 500."""
    outer: Any = _form(Outer)

    names = outer.fields["names"]
    fields = [*outer.fields.values(), names.child, *outer.fields["inner"].fields.values()]
    messages = [each.message for field in fields for each in field.validators]
    texts = [message.result for message in messages if isinstance(message, lazy_format)]
    assert len(texts) >= 4
    assert None not in texts
