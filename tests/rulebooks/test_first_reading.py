"""Two screens that are the first to read a book, in the same moment, end no process."""

import subprocess
import sys

import pytest

from tests.support.servers import ROOT

# A process reads for the first time only once, so each child of this one is another try.
READS_AT_ONCE = """
import os, sys, threading
from casino.rulebooks import clauses, reading

text = reading.text_of("helsinki")
readings = {{
    "book": lambda: reading.parse(text, source="helsinki.toml"),
    "clauses": lambda: clauses.clauses.__wrapped__("helsinki"),
}}

def child():
    sys.setswitchinterval(1e-6)
    begin = threading.Barrier(8)

    def read():
        begin.wait()
        readings["{what}"]()

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

for _ in range({tries}):
    pid = os.fork()
    if pid == 0:
        child()
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    if status:
        sys.exit(f"a process ended with {{os.waitstatus_to_exitcode(status)}}")
"""


@pytest.mark.slow
@pytest.mark.parametrize("what", ["book", "clauses"])
def test_first_readings_that_meet_end_no_process(what: str) -> None:
    script = READS_AT_ONCE.format(what=what, tries=60)

    ran = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)

    assert ran.returncode == 0, ran.stderr
