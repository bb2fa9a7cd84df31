"""
Nothing names what stands above it, by a string either: a permission, a page, a command, a table, a module, a screen,
an account, a kind of anything that apps register.

Imports are the import contract's (`make check`). Which names are whose is read from each app: its `allows.py`, its
`urls.py`, its `chart.py`, what it registers, and its label.
"""

import ast
import functools
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.sources import nodes

pytestmark = pytest.mark.xdist_group("sources")
ROOT = Path(__file__).parent.parent.parent
_contract = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]
LAYERS = [[app.strip() for app in layer.split("|")] for layer in _contract["layers"]]
RANK = {app: rank for rank, layer in enumerate(LAYERS) for app in layer}
# Where an app's templates are, beside the folder of its own name.
TEMPLATES = {"tables": ("tables", "rulebooks"), "casino.rulebooks": ()}
# The ledger's chain in the log, and where its call is; the cage counts one.
VAULT = {"vault"}
# What is made of a kind's name, and what takes it as it is registered.
REGISTERED = {"OpenItems", "CountsOf", "ExceptionKind", "by_shifts", "Basis", "Held"}
REGISTRIES = {"deliveries.register", "fill_places.register"}
# Where a kind is named: by an argument, by what is compared with it, under its key.
OF_KINDS = {"kind", "charge", "code", "destination"}


def label(app: str) -> str:
    return app.rpartition(".")[2]


def folder(app: str) -> Path:
    return ROOT / app.replace(".", "/")


def above(app: str) -> list[str]:
    return [other for other in RANK if RANK[other] < RANK[app]]


def walked(file: Path) -> tuple[ast.AST, ...]:
    return nodes(file.read_text("utf-8"))


@functools.cache
def declared(app: str) -> set[str]:
    """Return the permissions that an app declares, and the names of its addresses."""
    found = set()
    for name in ("allows.py", "urls.py"):
        if (folder(app) / name).exists():
            for node in walked(folder(app) / name):
                if isinstance(node, ast.Dict):
                    found |= {key.value for key in node.keys if isinstance(key, ast.Constant)}
                if isinstance(node, ast.keyword) and node.arg == "name" and isinstance(node.value, ast.Constant):
                    found.add(node.value.value)
    return {name for name in found if isinstance(name, str)}


def audiences(app: str) -> set[str]:
    """Return the audiences without a place that an app registers."""
    found = re.findall(r"pattern=\"(\w+)\"", "".join(file.read_text("utf-8") for file in folder(app).glob("push.py")))
    return set(found)


@functools.cache
def kinds(app: str) -> set[str]:
    """
    Return the kinds that an app declares, wherever in it: owners of accounts, accounts and transfers, charges of a
    hand, what keeps a day open and what of it is counted, exceptions and what they are measured against, rows that the
    log answers for, destinations of a buy-in, places that are filled.
    """
    modules = {file: walked(file) for file in folder(app).rglob("*.py") if "migrations" not in file.parts}
    bodies = [module.body for module, *_rest in modules.values() if isinstance(module, ast.Module)]
    constants = {name: value for body in bodies for name, value in bound(body)}
    named = [each for file, found in modules.items() for node in found for each in naming(node, file.name)]
    # By a constant's own name, or as "prizes.DESTINATION".
    values = [constants.get(getattr(each, "id", getattr(each, "attr", "")), each) for each in named]
    return {each.value for each in values if isinstance(each, ast.Constant) and isinstance(each.value, str)}


@functools.cache
def own_words(app: str) -> set[str]:
    """Return the codes and choices that an app has of its own, whatever others call a kind so."""
    found = set()
    for file in folder(app).rglob("*.py"):
        for node in walked(file) if "migrations" not in file.parts else ():
            for _name, value in bound(node.body) if isinstance(node, ast.ClassDef) else ():
                # A choice may have its label beside it.
                first = value.elts[0] if isinstance(value, ast.Tuple) and value.elts else value
                found |= {first.value} if isinstance(first, ast.Constant) and isinstance(first.value, str) else set()
    return found


def bound(statements: list[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    """Yield what these statements bind to names, one by one where one binds several."""
    for node in statements:
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts, strict=True))
            yield from ((each.id, value) for each, value in pairs if isinstance(each, ast.Name))


def naming(node: ast.AST, module: str) -> Iterator[ast.expr]:
    """Yield what of a module's node names a kind; in a chart of accounts every key and every constant does."""
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func).rpartition(".")[2]
        registries = {ast.unparse(node.func), f"{module.removesuffix('.py')}.{called}"}
        if called in REGISTERED or registries & REGISTRIES:
            yield from node.args[:1]
            yield from (each.value for each in node.keywords if each.arg == "kind")
        if called == "add_account":
            yield from node.args[1:2]
        if called == "name_transfers":
            yield from (key for each in node.args if isinstance(each, ast.Dict) for key in each.keys if key)
    elif isinstance(node, ast.ClassDef):
        fields = dict(bound(node.body))
        # A kind of charge is a class of its own (`tables.charges.ChargeKind`).
        yield from [fields["code"]] if {"code", "box"} <= fields.keys() else []
    elif module == "chart.py" and isinstance(node, ast.Dict):
        yield from (key for key in node.keys if key)
    elif module == "chart.py" and isinstance(node, ast.Assign):
        yield from (value for _name, value in bound([node]))


def strings_of(found: tuple[ast.AST, ...]) -> Iterator[tuple[str, int, str]]:
    """Yield every string of a module but its docstrings, its line, and what stands there: a "screen", a "kind", ""."""
    blocks = [node for node in found if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)]
    docs = {id(block.body[0].value) for block in blocks if block.body and isinstance(block.body[0], ast.Expr)}
    stands = {id(inner): what for node in found for what, value in where_named(node) for inner in ast.walk(value)}
    for node in found:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value, node.lineno, stands.get(id(node), "")


def where_named(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield the expressions of a node that name screens, or kinds of something."""
    if isinstance(node, ast.keyword) and node.arg in {"audience", "audiences", "hears"}:
        yield "screen", node.value
    elif isinstance(node, ast.keyword) and node.arg and node.arg.removesuffix("__in").rpartition("_")[2] in OF_KINDS:
        yield "kind", node.value
    elif isinstance(node, ast.Compare) and ast.unparse(node.left).rpartition(".")[2] in OF_KINDS:
        yield from (("kind", each) for each in node.comparators)
    elif isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        yield from (("kind", value) for key, value in pairs if key and ast.unparse(key).strip("'") in OF_KINDS)


def named_above(app: str, root: Path = ROOT) -> Iterator[str]:
    """Yield what an app, as it stands below `root`, says that belongs to one above it."""
    labels = "|".join(label(other) for other in above(app))
    # A command or a module ("tables.seat_player", "casino.cage"), a template, or a table of the database.
    theirs = re.compile(
        rf"(?<![\w./-])(?:{labels})\.[a-z]\w+|(?<![\w./-])casino\.(?:{labels})(?!\w)|^(?:{labels})/[\w/]+\.html"
        rf"|\b(?:FROM|JOIN|INTO|UPDATE) (?:{labels})_[a-z]"
    )
    names = set().union(*(declared(other) for other in above(app)))
    screens = set().union(*(audiences(other) for other in above(app)))
    theirs_alone = set().union(*(kinds(other) for other in above(app))) - kinds(app)
    theirs_alone -= set().union(*(own_words(each) for each in RANK if each == app or RANK[each] > RANK[app]))
    # The ledger speaks of nothing else; elsewhere "paid" and "table" are ordinary words, and "in_play" is none: they
    # are a kind's where one is asked for.
    stores = {name for name in theirs_alone if "_" in name or app == "casino.ledger"} - VAULT
    of_django = re.compile(r"\b(?:get_model|get_app_config|is_installed)\(|\bapp_label\b")
    # What is kept is named alone, before its number, or in SQL.
    stored = re.compile(rf"(?:^|')({'|'.join(sorted(stores))})(?:$|'|\.)") if stores else None
    for file in sorted((root / app.replace(".", "/")).rglob("*.py")):
        if "migrations" in file.parts:
            continue
        lines = file.read_text("utf-8").splitlines()
        for text, number, stands in strings_of(walked(file)):
            # "floor" is a role, too: an address is what `reverse` is asked for, an app what Django is.
            is_address = any(f'{asks}("{text}"' in lines[number - 1] for asks in ("reverse", "redirect"))
            is_theirs = text in names and ("." in text or is_address)
            is_theirs |= text in labels.split("|") and bool(of_django.search(lines[number - 1]))
            is_theirs |= text in {"screen": screens, "kind": theirs_alone}.get(stands, ())
            if theirs.search(text) or is_theirs or (stored and stored.search(text)):
                yield f"{file.relative_to(root)}:{number}: {text!r}"
    for found in (root / "templates" / name for name in TEMPLATES.get(app, (label(app),))):
        for file in sorted(found.rglob("*.html")):
            where, text = str(file.relative_to(root)), file.read_text("utf-8")
            yield from (f"{where}: {name!r}" for name in re.findall(r"{% url ['\"](\w+)['\"]", text) if name in names)
            for name in re.findall(r"{% (?:include|extends) ['\"](\w+)/", text):
                if name in labels.split("|"):
                    yield f"{where}: a template of {name!r}"


@pytest.mark.parametrize("app", [app for app in RANK if above(app)], ids=label)
def test_nothing_names_what_stands_above_it(app: str) -> None:
    assert list(named_above(app)) == []


WRONG = """
'What is wrong.'
"tables.seat_player"
"page.floor"
reverse("floor")
done(audience="lobby")
"SELECT 1 FROM cage_slip"
kind="in_play"
"kind = 'deposits_held'"
"disputed_pot.4"
"casino.cage"
render(request, "cage/desk.html")
apps.get_model("cage", "Slip")
items.filter(kind="drawer")
items.filter(destination__in=("mine", "promotion"))
item.charge == "drop"
{"kind": "box"}
"""


def test_what_would_be_found_is_found(tmp_path: Path) -> None:
    """Else a change of how names are declared would let everything through."""
    (tmp_path / "casino" / "people").mkdir(parents=True)
    (tmp_path / "casino" / "people" / "wrong.py").write_text(WRONG)
    (tmp_path / "templates" / "people").mkdir(parents=True)
    (tmp_path / "templates" / "people" / "wrong.html").write_text(
        "{% url 'floor_table' 4 %}{% include 'cage/slip.html' %}"
    )

    assert len(list(named_above("casino.people", tmp_path))) == 17
