"""
The auditor's pack: a span of closed gaming days in one file, which proves itself without Brush.

    span.py      which days, and which stretch of the log is theirs
    carried.py   which rows were open when the days were over, and the log of what came open into them
    reading.py   what is read of them, from one snapshot, row by row
    figures.py   each day's report, with people as numbers
    making.py    the file: its parts, their hashes, one digest of all
    script/      the script that lies in it; nothing else of Brush runs where it does
"""
