"""What a bench times by its name is there under that name: one that breaks off half way is seen by nobody for days."""

from pkgutil import resolve_name

from bench.settling_parts import PARTS


def test_what_settling_times_is_where_it_says():
    for names in PARTS.values():
        for name in names:
            assert callable(resolve_name(name)), name
