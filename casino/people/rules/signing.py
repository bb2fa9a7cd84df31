"""Whether two signatures can be one person's, by what was changed of people's sign-ins."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class SignInChange:
    """Somebody changed a person's sign-in; `gives_secret`: they know the PIN or password that it has since."""

    by_id: int
    of_id: int
    gives_secret: bool


def is_prepared(changes: Sequence[SignInChange], *, asker_id: int, signer_id: int) -> bool:
    """
    Say whether one person could be both.

    The asker, or somebody whose secret the asker gave, has changed anything of the signer's sign-in; or the signer, or
    anybody else, could sign in as both by secrets that they gave. Who was given a secret may have given others.
    """
    by_asker = _could_be(asker_id, changes)
    if any(change.of_id == signer_id and change.by_id in by_asker for change in changes):
        return True
    return any({asker_id, signer_id} <= _could_be(by_id, changes) for by_id in {change.by_id for change in changes})


def _could_be(staff_id: int, changes: Iterable[SignInChange]) -> set[int]:
    """Return as whom a person could sign in: as themselves, and by the secrets that these gave, and so on."""
    given = [change for change in changes if change.gives_secret]
    ids, fresh = {staff_id}, {staff_id}
    while fresh:
        fresh = {change.of_id for change in given if change.by_id in fresh} - ids
        ids |= fresh
    return ids
