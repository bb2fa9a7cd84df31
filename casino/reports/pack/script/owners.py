"""Whose an account is, by what transfers say of themselves and the events that name them; and which are promises."""

import json
from collections import defaultdict
from typing import Any

from casino.reports.pack.script.ledger import Ledger
from casino.reports.pack.script.packs import Pack

# Which accounts are promises: none of them may ever go below zero.
PROMISES = {
    ("house", "vouchers"), ("house", "unclaimed"), ("house", "tips"), ("player", "deposit"), ("jackpot", "sum"),
    ("jackpot", "pending"), ("promotion", "free"), ("promotion", "reserved"), ("promotion", "pending"),
}  # fmt: skip
# By owner what a transfer is about that says whose its accounts are.
ABOUT = {"player": "player", "jackpot": "pool", "promotion": "fund"}
# Which are always named by an event of their own table.
OF_A_TABLE = {"hand", "time_charge"}


class Owners(Ledger):
    """Verifies whose each account is."""

    def __init__(self, pack: Pack) -> None:
        super().__init__(pack)
        # By number of a drawer its id.
        self.drawer_ids: dict[int, int] = {}

    def open_accounts(self) -> None:
        super().open_accounts()
        room = self.about["room"]["id"]
        for pk, account in self.accounts.items():
            name = f"account {pk} of {account['owner_kind']} {account['owner_id']}"
            self.must(account["owner_kind"] != "house" or account["owner_id"] == room, f"{name} is of another room")
            is_promise = (account["owner_kind"], account["kind"]) in PROMISES
            same = self.is_older or account["is_promise"] == is_promise
            self.must(same, f"{name}, {account['kind']}, is {'a' if is_promise else 'no'} promise")

    def see(self, event: dict[str, Any]) -> None:
        super().see(event)
        data, chain = event.get("data") or {}, event["chain"]
        if event["result"] == "done" and chain.startswith("drawer."):
            number = int(chain.removeprefix("drawer."))
            if "drawer_id" in data:
                self.drawer_ids[number] = data["drawer_id"]
            elif "drawer_id" in event["args"]:
                self.drawer_ids.setdefault(number, event["args"]["drawer_id"])

    def whose(self, text: str, chain: str, parts: list[tuple[int, int]]) -> None:
        """Hold whose the accounts of a transfer are against what it is about, and which event names it."""
        pk, _room, _day, kind, _key, _by, _approved_by, table, _reverses, about, *_rest = json.loads(text)
        owners: dict[str, set[int]] = defaultdict(set)
        for account in (self.accounts[each] for each, _cents in parts if each in self.accounts):
            owners[account["owner_kind"]].add(account["owner_id"])
        says = {owner: about[what] for owner, what in ABOUT.items() if what in about}
        says |= {"table": table} if table is not None else {}
        says |= {"drawer": self.drawer_ids[about["drawer"]]} if about.get("drawer") in self.drawer_ids else {}
        for owner, stated in says.items():
            found = owners.get(owner, {stated})
            names = ", ".join(map(str, sorted(found)))
            wrong = f"transfer {pk} is about {owner} {stated}, and moves accounts of {owner} {names}"
            self.must(stated in found, wrong, "transfers that say whose their accounts are")
        if kind == "deposit_joined":
            same = owners["player"] == {about["kept"], about["gone"]}
            self.must(same, f"transfer {pk} moves deposits of others than it says")
        if kind in OF_A_TABLE and chain.startswith("table."):
            number = self.about["tables"].get(str(table))
            self.must(chain == f"table.{number}", f"transfer {pk} is of {chain}, and its table is called {number}")
