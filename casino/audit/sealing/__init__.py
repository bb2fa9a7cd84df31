"""
Seals: signed over the heads of all chains by a process of its own, with a key that those who serve cannot read.

    text.py     what is signed, and the code that is printed
    key.py      the private key in its file, and how it is turned over
    copies.py   where seals go that the application cannot reach
    sealer.py   once a minute
    proof.py    what does not hold
"""
