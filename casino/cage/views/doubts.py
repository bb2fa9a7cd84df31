"""The floor judges what the cage doubts."""

from django.http import HttpResponse

from casino.cage.services import judge_doubt
from casino.commands.methods import require_POST
from casino.people.http import DoorRequest, command_for, done_there, page


@page("cage.judge_doubt")
@require_POST
def judge(request: DoorRequest, doubt_id: int) -> HttpResponse:
    """Take something of the cage off the to-do, having looked at it."""
    judge_doubt(command_for(request), doubt_id=doubt_id)
    return done_there(request)
