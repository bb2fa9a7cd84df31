"""What boxes keep about people: nothing but who on staff hung and counted them."""

from casino.boxes.models import Box, BoxCount
from casino.people.kept import about_nobody

about_nobody(Box, "charge account", "codes")
about_nobody(BoxCount, "pieces", "counts of chips")
