"""`manage.py grants`: give the role that serves its rights, as after each `manage.py migrate`."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from casino import grants


class Command(BaseCommand):
    help = "Give the role in DATABASE_URL what it needs to serve, and take from it all else, as the database's owner."

    def handle(self, *args: Any, **options: Any) -> None:
        """Grant. :raises CommandError: nobody said who owns the database."""
        if not grants.connect_as_owner():
            raise CommandError("Who owns the database? BRUSH_OWNER_DATABASE_URL is where the owner signs in.")
        try:
            tables = grants.grant(grants.runtime_role(), sealer=grants.sealer_role())
        except grants.NoRuntimeRole as problem:
            raise CommandError(str(problem)) from problem
        self.stdout.write(f"{grants.runtime_role()} may use {tables} tables, and change nothing else.")
