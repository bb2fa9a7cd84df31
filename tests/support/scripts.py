"""The browser's modules run without a browser, by the Deno that `make check` reads them with."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from deno import find_deno_bin  # type: ignore[import-untyped]  # the wheel has no types
from django.conf import settings

_RUN = "console.log(JSON.stringify(await (%s)(JSON.parse(await new Response(Deno.stdin.readable).text()))));"


def run_script(script: str, arguments: Any) -> Any:
    """
    Return what a function of our scripts answers to what it is told, both as JSON: "async (told) => …".

    It imports as a page does, from "/static/brush/": what asks for a document fails.
    """
    base = Path(settings.BASE_DIR)
    source = (_RUN % script).replace('"/static/', f'"file://{base}/static/')
    done = subprocess.run(
        [find_deno_bin(), "eval", "--no-remote", "--no-lock", source],
        input=json.dumps(arguments),
        capture_output=True,
        text=True,
        check=False,
        cwd=base,
        env=os.environ | {"DENO_DIR": str(base / "var/cache/deno"), "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1"},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
