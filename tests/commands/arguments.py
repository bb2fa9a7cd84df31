"""
What commands are called and told, as this version has it and as it was recorded: `python -m tests.commands.arguments`.

An answer is kept with a hash of its command's name and arguments, a doubtful tap with the arguments themselves, and a
tablet's queue holds bodies of calls: all of them are older than the house that hears of them again after an upgrade.
"""

import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

RECORD = Path(__file__).with_name("arguments.txt")
HOW = ".venv/bin/python -m tests.commands.arguments"
MIGRATE = (
    "A tap that was answered before the upgrade, and is sent again after it, would be another command, refused, and"
    " tapped anew. So write a migration of casino.commands that empties `body_hash`, as 0004 does; if a doubtful tap"
    " may carry it (tables/services/kept_taps.py) one of tables that mends `ToDo.data`; and let a call's body go on to"
    f" read what waits on tablets. Then record: {HOW}"
)


def as_it_is() -> list[str]:
    """Return the newest migration that empties hashes, then a line for each command, type told to one, and call."""
    from casino.commands.carrying_out import services
    from casino.rest import input_of
    from tests.doors.routes import all_routes, import_all_services

    import_all_services()
    ours = {
        name: each.function for name, each in services().items() if not each.function.__module__.startswith("tests.")
    }
    types = {name: get_type_hints(function) for name, function in ours.items()}
    for hints in types.values():
        del hints["command"], hints["return"]
    lines = [_line(name, _of_function(ours[name], types[name])) for name in sorted(ours)]
    shapes = {shape.__name__: shape for hints in types.values() for hint in hints.values() for shape in _shapes(hint)}
    lines += [_line(name, _of_shape(shapes[name])) for name in sorted(shapes)]
    views = {route.api_view for route in all_routes() if hasattr(getattr(route.api_view, "post", None), "input")}
    takes = {input_of(view).command: input_of(view) for view in views if not view.__module__.startswith("tests.")}
    lines += [_line(f"POST {name}", _of_call(takes[name])) for name in sorted(takes)]
    return [_newest_migration(), *lines]


def as_recorded() -> list[str]:
    return RECORD.read_text().splitlines()


def what_differs(recorded: list[str], now: list[str]) -> str:
    """Return what to do about the difference, in sentences; "" where there is none."""
    gone, new = sorted({*recorded[1:]} - {*now[1:]}), sorted({*now[1:]} - {*recorded[1:]})
    if gone:
        return "\n".join(["Recorded were:", *gone, "and there are now:", *new, MIGRATE])
    return "\n".join(["Not recorded yet:", *new, f"Record them: {HOW}"]) if new else ""


def main() -> int:
    """Record what there is now; 1, and nothing recorded, where something changed and no migration came with it."""
    now, recorded = as_it_is(), as_recorded()
    differs = what_differs(recorded, now)
    if MIGRATE in differs and now[0] == recorded[0]:
        sys.stderr.write(f"{differs}\n")
        return 1
    RECORD.write_text("\n".join(now) + "\n")
    return 0


def _newest_migration() -> str:
    import casino.commands.migrations as kept

    found = Path(kept.__path__[0]).glob("0*.py")
    return max(each.stem for each in found if "body_hash" in each.read_text())


def _line(name: str, parts: Iterator[str]) -> str:
    return f"{name}: {', '.join(sorted(parts))}"


def _of_function(function: Any, hints: dict[str, Any]) -> Iterator[str]:
    for each in inspect.signature(function).parameters.values():
        if each.name != "command":
            yield f"{each.name}{'' if each.default is each.empty else '?'} {_plain(hints[each.name])}"


def _of_shape(shape: Any) -> Iterator[str]:
    hints = get_type_hints(shape)
    for each in fields(shape):
        yield f"{each.name} {_plain(hints[each.name])}"


def _of_call(takes: Any) -> Iterator[str]:
    if takes.version:
        yield f"version {takes.version}"
    yield from _of_body(takes.body())


def _of_body(body: Any, within: str = "") -> Iterator[str]:
    for name, each in body.fields.items():
        inner = getattr(each, "child", each)
        listed = "" if inner is each else "[]"
        yield f"{within}{name}{'' if each.required else '?'} {type(inner).__name__}{listed}"
        if hasattr(inner, "fields"):
            yield from _of_body(inner, f"{within}{name}{listed}.")


def _shapes(hint: Any) -> Iterator[Any]:
    """Yield the dataclasses that a type speaks of, also within others."""
    if is_dataclass(hint):
        yield hint
        for inner in get_type_hints(hint).values():
            yield from _shapes(inner)
    for inner in get_args(hint):
        yield from _shapes(inner)


def _plain(hint: Any) -> str:
    return re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", inspect.formatannotation(hint))


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    django.setup()
    sys.exit(main())
