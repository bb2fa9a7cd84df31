"""The bar: who may do what there, and its desk."""

from casino.people.desks import Desk, add_desk
from casino.people.permissions import FLOOR, allow

allow({"bar.pour": FLOOR, "page.bar": FLOOR})
add_desk(Desk("page.bar", "/bar/", "Bar", rank=95))
