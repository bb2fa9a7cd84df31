"""The floor judges what the cage doubts, and has seen what it refused."""

from django.http import HttpResponse

from casino.cage.services import judge_doubt, note_refusal_seen
from casino.commands.methods import require_POST
from casino.people.http import ActorRequest, command_for, done_there, page


@page("cage.judge_doubt")
@require_POST
def judge(request: ActorRequest, doubt_id: int) -> HttpResponse:
    """Take something of the cage off the to-do, having looked at it."""
    judge_doubt(command_for(request), doubt_id=doubt_id)
    return done_there(request)


@page("cage.note_refusal_seen")
@require_POST
def refusal_seen(request: ActorRequest, slip_id: int) -> HttpResponse:
    """Take a refused request off the to-do: the floor knows, and has told the player."""
    note_refusal_seen(command_for(request), slip_id=slip_id)
    return done_there(request)
