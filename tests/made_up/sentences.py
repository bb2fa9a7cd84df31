"""What the bar's events say in the log."""

from casino.audit.sentences import say

say({"bar.pour": "A glass was poured for table {table_number}."})
