"""A script and all that it imports, asked for at once instead of one after the other."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from django import template
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()
_IMPORTS = re.compile(r'^(?:import|export)\b[^;]*?["\'](\.[^"\']+)["\'];', re.MULTILINE)


@register.simple_tag
def module(name: str) -> SafeString:
    """
    Return the element that loads this ES module, with hints for every module that it imports, near or far.

    Without them a browser learns of an import only when it has read the importing file: a round trip for each level.
    """
    imported = ((static(each),) for each in sorted(_all_imports(name)))
    hints = format_html_join("", '<link rel="modulepreload" href="{}">', imported)
    return format_html('{}<script src="{}" type="module"></script>', hints, static(name))


@cache
def _all_imports(name: str) -> frozenset[str]:
    modules: set[str] = set()
    waiting = [name]
    while waiting:
        for each in _imports_of(waiting.pop()):
            if each not in modules:
                modules.add(each)
                waiting.append(each)
    return frozenset(modules - {name})


def _imports_of(name: str) -> Iterator[str]:
    path = finders.find(name)
    if path:
        for relative in _IMPORTS.findall(Path(path).read_text(encoding="utf-8")):
            yield normpath(join(dirname(name), relative))
