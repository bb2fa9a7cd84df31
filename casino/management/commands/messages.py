"""Collect the texts to be translated and compile the translations, or check that they are complete."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from casino import translations


class Command(BaseCommand):
    """`manage.py messages` updates every language's files; `--check` changes nothing and says what is wrong."""

    help = "Bring locale/*/LC_MESSAGES/django.po in step with the code and compile it."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare `--check`."""
        parser.add_argument("--check", action="store_true", help="change nothing; fail when a translation is missing")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        """Update, or check, each language but English."""
        languages = [code for code, _ in settings.LANGUAGES if code != "en"]
        if not check:
            for language in languages:
                translations.update(settings.BASE_DIR, language)
        problems = translations.problems(settings.BASE_DIR, *languages)
        for problem in problems:
            self.stderr.write(problem)
        if problems and check:
            raise CommandError(f"{len(problems)} texts are not translated as they should be.")
        self.stdout.write(f"{len(problems)} texts wait for a translation." if problems else "All texts are translated.")
