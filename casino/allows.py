"""The REST interface's own description."""

from casino.people.permissions import PUBLIC, allow

allow(
    {
        "read.api_docs": PUBLIC,
    },
    shown_at_tables=[
        "read.api_docs",
    ],
)
