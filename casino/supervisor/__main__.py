"""Run a room: `python -m casino.supervisor`, which is what `make run` does."""

import os
import sys
from pathlib import Path

from casino.reach import Reach
from casino.supervisor.group import ROOT, Group


def main() -> int:
    """Read BRUSH_DATA_DIR, BRUSH_HOST, BRUSH_PORT and BRUSH_LIVE, and run until stopped."""
    data_dir = Path(os.environ.get("BRUSH_DATA_DIR") or ROOT / "var")
    host = Reach.of(os.environ).host
    is_live = os.environ.get("BRUSH_LIVE", "") not in ("", "0")
    return Group(data_dir, host=host, port=int(os.environ.get("BRUSH_PORT") or 8000), is_live=is_live).run()


if __name__ == "__main__":
    sys.exit(main())
