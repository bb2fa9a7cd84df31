"""`manage.py migrate`, as the owner of the database; the role that serves then has its rights on what was made."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands.migrate import Command as Migrate
from django.db import connection

from casino import grants


class Command(Migrate):
    """Django's own, on `BRUSH_OWNER_DATABASE_URL` (embedded servers know it), and `manage.py grants` after it."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate, and grant; where there is only `DATABASE_URL`, say that nothing guards the log."""
        # A table that nobody spoke of, and a role that is not there, are found before anything is changed.
        grants.declared()
        has_owner = grants.connect_as_owner()
        if has_owner:
            try:
                grants.look_for(grants.runtime_role(), sealer=grants.sealer_role())
            except grants.NoRuntimeRole as problem:
                raise CommandError(str(problem)) from problem
        # Between two statements a migration reads rows and renders models: on a slow machine for longer than anybody
        # who serves may leave a transaction open.
        with connection.cursor() as cursor:
            cursor.execute("SET idle_in_transaction_session_timeout = 0")
        super().handle(*args, **options)
        if options["plan"]:
            return
        if has_owner:
            grants.grant(grants.runtime_role(), sealer=grants.sealer_role())
        elif grants.is_unguarded():
            self.stderr.write(grants.UNGUARDED)
