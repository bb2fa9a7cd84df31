"""
Nights played through the front door, and everything about them held to be true after each step.

    felt.py         what really lies on the tables, in the drawer, in the pockets; it knows nothing of the log
    jackpots.py     what each jackpot really holds, by what was dropped, won and paid
    boxes.py  fills.py  banks.py  racks.py  days.py  vouchers.py  foreign.py  tips.py  promotions.py  vault.py
    deliveries.py  papers.py
                    the same of each of these, by what was put there, carried, stolen and counted, and plain addition
    front_door.py   tablets and programs: HTTP as they speak it, and the ways in which a tap can go wrong
    screens.py      sockets that keep what each audience was shown last
    instance.py     the processes of a Brush of its own, on a database of its own; they can be killed
    checks.py       what must hold, asked of the database by a connection of its own and of the pages
    checks_jackpots.py  the same of jackpots: rows, pages and the report
    checks_counted.py   and of what two people count
    staff.py        who works tonight and on which device
    table.py        one table as its dealer and the floor see it, and what of its felt the log does not know yet
    plan.py         what is to be played, and what is said of a night that broke
    night.py        what behaviours see: all of the above, and the ways to tap
    playing.py      the nights of a plan: draws a behaviour, plays it, checks
    live.py         the show of `make run LIVE=1`: guests who play beside people, and are held to nothing
    at_once.py      commands of several people that meet
    behaviours/     what people do; a new behaviour is a new file there and changes nothing here

One number draws everything that anybody does, ids of commands included: `random.Random(seed)`. Nothing that a
clock or a thread says decides anything, so the same number plays the same night again: where people's taps meet,
the felt ends the same whoever was first. Moments are not replayed: the house's clock runs on at its own speed
(BRUSH_CLOCK).

Nothing here calls a service: what is done goes through the REST interface. Only the checks read the rows.
"""
