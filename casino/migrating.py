"""Operations of migrations: what Django's own lack, for tables that taps write while they are altered."""

from typing import Any

from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class AtOnce(Operation):
    """
    Change tables that are there, with nothing between one statement and the next while they are locked.

    Django makes every model anew after each step of a migration, and a transaction keeps what its first step locked:
    thirty new columns kept everybody from the seats for seconds, however few seats there were. The models are made here
    before the first statement, and once for all steps, which may therefore not build on one another.
    """

    reduces_to_sql = True

    def __init__(self, operations: list[Any]) -> None:
        """Take the operations: columns and constraints of tables that an earlier operation made."""
        self.operations = operations

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Say of the models what the operations do; they are made when they are next needed."""
        state.__dict__.pop("apps", None)
        for operation in self.operations:
            operation.state_forwards(app_label, state)

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Alter the tables."""
        from_state.apps, to_state.apps  # noqa: B018 - makes the models, before anything is locked
        for operation in self.operations:
            operation.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Have the tables as they were."""
        from_state.apps, to_state.apps  # noqa: B018 - as above
        for operation in reversed(self.operations):
            operation.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        """Return what Django prints of it."""
        return "; ".join(str(operation.describe()) for operation in self.operations)
