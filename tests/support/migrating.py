"""
`manage.py migrate` for the template that tests copy, in half of the time.

For each constraint, index and trigger that a model gets, Django makes it and all that are related to it anew, and for
each new model nearly all there are. No statement comes of that: here a model is given its option as it stands, and a
new one is made beside the others. `tests/platform/test_template.py` holds what comes of it against Django's own.

    python -m tests.support.migrating migrate
"""

import gc
import runpy
from collections.abc import Callable
from typing import Any

from django.db.migrations.state import ProjectState
from pgtrigger.migrations import AddTrigger, RemoveTrigger


def make_less_anew() -> None:
    """Have states of migrations make only those models anew whose fields have changed."""
    for name in ("_append_option", "_remove_option"):
        setattr(ProjectState, name, _option_in_place(getattr(ProjectState, name)))
    for operation in (AddTrigger, RemoveTrigger):
        operation.state_forwards = _trigger_in_place(operation.state_forwards)
    ProjectState.add_model = _beside_the_others(ProjectState.add_model)  # type: ignore[method-assign]


def _unmade(state: ProjectState, change: Callable[..., None], *arguments: Any) -> Any:
    """Change a state as if none of its models were made yet; return those that are, None where there are none."""
    apps = state.__dict__.pop("apps", None)
    change(*arguments)
    if apps is not None:
        state.apps = apps
    return apps


def _set(state: ProjectState, apps: Any, app_label: str, model_name: str, option: str) -> None:
    if apps is not None:
        options = state.models[app_label, model_name.lower()].options
        setattr(apps.get_model(app_label, model_name)._meta, option, options[option])


def _option_in_place(change: Callable[..., None]) -> Callable[..., None]:
    def changed(state: ProjectState, app_label: str, model_name: str, option: str, what: Any) -> None:
        _set(state, _unmade(state, change, state, app_label, model_name, option, what), app_label, model_name, option)

    return changed


def _trigger_in_place(change: Callable[..., None]) -> Callable[..., None]:
    def changed(operation: Any, app_label: str, state: ProjectState) -> None:
        apps = _unmade(state, change, operation, app_label, state)
        _set(state, apps, app_label, operation.model_name, "triggers")

    return changed


def _beside_the_others(add: Callable[..., None]) -> Callable[..., None]:
    def added(state: ProjectState, model_state: Any) -> None:
        apps = _unmade(state, add, state, model_state)
        if apps is not None:
            apps.render_multiple([model_state])

    return added


if __name__ == "__main__":
    # To look through all those models for garbage, again and again, takes a quarter of the time; a house's machine may
    # not have the three hundred megabytes that this takes.
    gc.disable()
    make_less_anew()
    runpy.run_path("manage.py", run_name="__main__")
