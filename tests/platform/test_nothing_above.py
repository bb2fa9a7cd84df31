"""
Nothing names what stands above it, by a string either: a permission, a page, a command, a table, a module, a screen,
an account, what keeps a day open.

Imports are the import contract's (`make check`). Which names are whose is read from each app: its `allows.py`, its
`urls.py`, `chart.py`, `open_items.py`, the audiences that it registers, and its label.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
_contract = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]
LAYERS = [[app.strip() for app in layer.split("|")] for layer in _contract["layers"]]
RANK = {app: rank for rank, layer in enumerate(LAYERS) for app in layer}
# Where an app's templates are, beside the folder of its own name.
TEMPLATES = {"tables": ("tables", "rulebooks"), "casino.rulebooks": ()}
# What a player's own limit is of; the cage calls a transfer so.
OF_OWN_LIMITS = {"buy_in"}
# The way back from what is posted, for who has no desk: to the one page that everybody may read.
KNOWN = {
    ("templates/rulebooks/posted.html", "lobby"),
    ("templates/jackpot/rules.html", "lobby"),
    ("templates/jackpot/pool.html", "lobby"),
    ("templates/promotions/shown.html", "lobby"),
}


def label(app: str) -> str:
    return app.rpartition(".")[2]


def folder(app: str) -> Path:
    return ROOT / app.replace(".", "/")


def above(app: str) -> list[str]:
    return [other for other in RANK if RANK[other] < RANK[app]]


def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"))


def declared(app: str) -> set[str]:
    """Return the permissions that an app declares, and the names of its addresses."""
    found = set()
    for name in ("allows.py", "urls.py"):
        if (folder(app) / name).exists():
            for node in ast.walk(parsed(folder(app) / name)):
                if isinstance(node, ast.Dict):
                    found |= {key.value for key in node.keys if isinstance(key, ast.Constant)}
                if isinstance(node, ast.keyword) and node.arg == "name" and isinstance(node.value, ast.Constant):
                    found.add(node.value.value)
    return {name for name in found if isinstance(name, str)}


def audiences(app: str) -> set[str]:
    """Return the audiences without a place that an app registers."""
    found = re.findall(r"pattern=\"(\w+)\"", "".join(file.read_text("utf-8") for file in folder(app).glob("push.py")))
    return set(found)


def kept(app: str) -> set[str]:
    """Return the owners of accounts, the accounts, the transfers and the open items of a day that an app declares."""
    found: set[ast.expr | None] = set()
    for name in ("chart.py", "open_items.py"):
        if (folder(app) / name).exists():
            for node in ast.walk(parsed(folder(app) / name)):
                if isinstance(node, ast.Dict):
                    found |= set(node.keys)
                if isinstance(node, ast.Assign):
                    found.add(node.value)
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "OpenItems":
                    found.add(node.args[0])
    names = {node.value for node in found if isinstance(node, ast.Constant)}
    return {name for name in names if isinstance(name, str)}


def strings_of(tree: ast.Module) -> Iterator[tuple[str, int, bool]]:
    """Yield every string of a module but its docstrings, its line, and whether it stands where screens are named."""
    blocks = [node for node in ast.walk(tree) if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)]
    docs = {id(block.body[0].value) for block in blocks if block.body and isinstance(block.body[0], ast.Expr)}
    screens = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.keyword) and node.arg in {"audience", "audiences", "hears"}
        for inner in ast.walk(node.value)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value, node.lineno, id(node) in screens


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
    stores = set().union(*(kept(other) for other in above(app))) - kept(app)
    if app != "casino.ledger":
        # The ledger speaks of nothing else; elsewhere "paid" and "table" are ordinary words, and "in_play" is none.
        stores = {name for name in stores if "_" in name} - OF_OWN_LIMITS
    of_django = re.compile(r"\b(?:get_model|get_app_config|is_installed)\(|\bapp_label\b")
    # What is kept is named alone, before its number, or in SQL.
    stored = re.compile(rf"(?:^|')({'|'.join(sorted(stores))})(?:$|'|\.)") if stores else None
    for file in sorted((root / app.replace(".", "/")).rglob("*.py")):
        if "migrations" in file.parts:
            continue
        lines = file.read_text("utf-8").splitlines()
        for text, number, is_screen in strings_of(parsed(file)):
            # "floor" is a role, too: an address is what `reverse` is asked for, an app what Django is.
            is_address = any(f'{asks}("{text}"' in lines[number - 1] for asks in ("reverse", "redirect"))
            is_theirs = text in names and ("." in text or is_address)
            is_theirs |= text in labels.split("|") and bool(of_django.search(lines[number - 1]))
            if theirs.search(text) or is_theirs or (is_screen and text in screens) or (stored and stored.search(text)):
                yield f"{file.relative_to(root)}:{number}: {text!r}"
    for found in (root / "templates" / name for name in TEMPLATES.get(app, (label(app),))):
        for file in sorted(found.rglob("*.html")):
            where, text = str(file.relative_to(root)), file.read_text("utf-8")
            for name in re.findall(r"{% url ['\"](\w+)['\"]", text):
                if name in names and (where, name) not in KNOWN:
                    yield f"{where}: {name!r}"
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
"""


def test_what_would_be_found_is_found(tmp_path: Path) -> None:
    """Else a change of how names are declared would let everything through."""
    (tmp_path / "casino" / "people").mkdir(parents=True)
    (tmp_path / "casino" / "people" / "wrong.py").write_text(WRONG)
    (tmp_path / "templates" / "people").mkdir(parents=True)
    (tmp_path / "templates" / "people" / "wrong.html").write_text(
        "{% url 'floor_table' 4 %}{% include 'cage/slip.html' %}"
    )

    assert len(list(named_above("casino.people", tmp_path))) == 13
