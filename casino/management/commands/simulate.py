"""`manage.py simulate`: play nights through the front door, and stop at the first thing that does not hold."""

import os
import tempfile
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from casino.simulation.behaviours import all_faults
from casino.simulation.behaviours.machines_away import not_played
from casino.simulation.broken import Broken
from casino.simulation.instance import Instance, OwnInstance, fresh_database, machines
from casino.simulation.live import LivePlay
from casino.simulation.plan import BOOKS
from casino.simulation.playing import Failed, Plan, Simulation


def faults_named(text: str) -> frozenset[str]:
    """Read the switches of a command line. :raises ArgumentTypeError: there is no such fault."""
    if text in {"all", "none"}:
        return all_faults() if text == "all" else frozenset()
    named = frozenset(text.split(","))
    if unknown := sorted(named - all_faults()):
        raise ArgumentTypeError(f"no such fault: {', '.join(unknown)}; there are {', '.join(sorted(all_faults()))}")
    return named


class Command(BaseCommand):
    help = "Play nights through the front door on a house of its own (or --against one that runs), and check everything"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what is played, where, and how much is checked."""
        parser.add_argument("--seed", type=int, default=1, help="one number replays one night (default: 1)")
        parser.add_argument("--nights", type=int, default=1)
        parser.add_argument("--hours", type=float, default=Plan.hours, help="of play in a night, by the night's count")
        parser.add_argument("--tables", type=int, default=Plan.tables)
        parser.add_argument("--until", type=int, help="stop after this step")
        parser.add_argument(
            "--faults", default="all", type=faults_named, help=f"all, none, or some of {','.join(sorted(all_faults()))}"
        )
        parser.add_argument("--jackpots", action="store_true", help="several jackpots: bad beats, claims, shares, ends")
        parser.add_argument(
            "--racks", action="store_true", help="dealers' racks, which are taken over at pushes, and sold from"
        )
        parser.add_argument("--one-step", action="store_true", help="two fill and empty a rack at once, without a slip")
        parser.add_argument("--own-tips", action="store_true", help="tips are each dealer's own, box by box")
        parser.add_argument("--daily-vault", action="store_true", help="the vault is counted on each gaming day")
        parser.add_argument(
            "--deliveries", action="store_true", help="paid chips are on their way until somebody says that they came"
        )
        parser.add_argument("--screens-every", type=int, default=20, help="check all screens every so many steps")
        parser.add_argument("--speed", type=float, default=60.0, help="how fast the house's own clock runs")
        parser.add_argument("--against", metavar="URL", help="play in the demo room that runs there; kills nothing")
        parser.add_argument(
            "--live", action="store_true", help="guests play there beside people, for as long as it is let"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Play. :raises CommandError: something did not hold; it says what, where, and how to play it again."""
        if options["live"]:
            self._play_live(options)
            return
        plan = Plan(
            seed=options["seed"],
            nights=options["nights"],
            hours=options["hours"],
            tables=options["tables"],
            until=options["until"],
            screens_every=options["screens_every"],
            faults=options["faults"],
            **{name: options[name] for name in BOOKS},
        )
        try:
            self._play(plan, options)
        except Failed as failed:
            raise CommandError(self._shortest(plan, failed, options)) from failed
        except Broken as broken:
            raise CommandError(str(broken)) from broken

    def _play(self, plan: Plan, options: dict[str, Any]) -> None:
        with self._instance(options) as instance:
            simulation = Simulation(instance, plan, say=self.stdout.write)
            left_out = not_played(instance, plan.faults)
            simulation.run()
            self.stdout.write(simulation.summary())
            if left_out:
                self.stdout.write(f"  not played: {left_out}")

    def _play_live(self, options: dict[str, Any]) -> None:
        if not options["against"]:
            raise CommandError("--live plays in a room that runs: say --against which.")
        show = LivePlay(options["against"], seed=options["seed"], tables=options["tables"], say=self.stdout.write)
        try:
            show.run(until=options["until"])
        except Broken as broken:
            raise CommandError(str(broken)) from broken

    def _shortest(self, plan: Plan, failed: Failed, options: dict[str, Any]) -> str:
        """Play again with every check after every step since all of them held, to find the first that fails."""
        if options["against"] or failed.step - failed.sound_until <= 1:
            return str(failed)
        self.stdout.write(f"{failed}\nlooking for the shortest prefix that fails ...")
        try:
            self._play(replace(plan, until=failed.step, all_checks_from=failed.sound_until + 1), options)
        except Failed as sooner:
            return f"{sooner}\nThat is the shortest prefix that fails."
        return f"{failed}\nPlayed again it held: what failed hangs on the moment, not on the night alone."

    @contextmanager
    def _instance(self, options: dict[str, Any]) -> Iterator[Instance]:
        if options["against"]:
            yield Instance(options["against"], database_url=os.environ.get("DATABASE_URL", ""))
            return
        with ExitStack() as stack:
            servers = stack.enter_context(machines())
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="brush-simulation-")))
            instance = OwnInstance(
                database=stack.enter_context(fresh_database(servers)),
                redis_url=servers.redis_url,
                folder=folder,
                speed=options["speed"],
                has_worker=True,
                on=servers,
            )
            stack.callback(instance.stop)
            yield instance
