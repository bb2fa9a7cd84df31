"""
`make run`: a whole room as one group of processes on one machine.

`commands` says what the processes are, `child` keeps one of them running, `group` all of them in
order. `python -m casino.supervisor` starts it.
"""
