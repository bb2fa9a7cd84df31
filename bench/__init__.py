"""
How far Brush is from what the machine can do: each module is one question, `python -m bench.<name>` answers it.

Limit and figure are taken in the same run, alternately, round by round; the table shows the medians and their ratio.
"""
