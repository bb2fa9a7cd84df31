"""What every call to a table begins with: which table, and whether the asker may stand there."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from django.db import connection
from rest_framework.request import Request
from rest_framework.response import Response

from casino.commands.carrying_out import Answer
from casino.errors import NotFound, NotPermitted
from casino.people.api_auth import anonymous_command, answer_of, api_actor, carried_out, earlier_of, needed
from casino.rest import Api
from casino.rooms.models import Place
from casino.rows import read
from tables.models import Table
from tables.services.kept_taps import KeptTap, keep

api = Api("tables")

_NUMBERED = "WHERE room_id = %s AND number = %s"
_ID = f"SELECT id FROM tables_table {_NUMBERED}"  # noqa: S608 - texts of our own


def own_table(request: Request) -> int | None:
    """Return the number of the only table that the asking device stands for, or None where it may see all."""
    place = api_actor(request).place
    return place[1] if place is not None and place[0] == Place.Kind.TABLE else None


def table_at(request: Request, number: int) -> Table:
    """
    Return the table of this number. One query.

    :raises NotPermitted: the tablet stands at another table.
    :raises NotFound: the room has none of this number.
    """
    _check_place(request, number)
    for table in read(Table, _NUMBERED, api_actor(request).room_id, number):
        return table
    raise NotFound(what="table")


def table_id_at(request: Request, number: int) -> int:
    """Return the id alone of the table of this number. One query. :raises Refusal: as `table_at`."""
    _check_place(request, number)
    with connection.cursor() as cursor:
        cursor.execute(_ID, [api_actor(request).room_id, number])
        if found := cursor.fetchone():
            return cast(int, found[0])
    raise NotFound(what="table")


def _check_place(request: Request, number: int) -> None:
    if own_table(request) not in {None, number}:
        raise NotPermitted


def at_table(request: Request, number: int, service: Callable[..., Answer], **arguments: Any) -> Response:
    """
    Have a service carry the call's command out at this table; what nobody can vouch for is kept for the floor instead.

    :raises Refusal: as `table_at`, or it would not.
    """
    table_id = table_id_at(request, number)
    earlier = earlier_of(request)
    if earlier is not None and earlier.doubt is not None:
        name = needed(request.parser_context["view"], "POST")
        tap = KeptTap(name=name or "", arguments=arguments, staff_id=earlier.staff_id, doubt=earlier.doubt)
        # It is nobody's, and asks for no right; the log says under whom it came, for a desktop is no device.
        nobody = api_actor(request)
        command = replace(anonymous_command(request), by=replace(nobody, may=nobody.may | {"tables.keep_tap"}))
        return answer_of(keep(command, table_id=table_id, tap=tap))
    return carried_out(request, service, table_id=table_id, **arguments)
