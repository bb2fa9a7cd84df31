"""What the ledger keeps about people: ids alone, as long as there are books."""

from casino.ledger.models import Account, Transfer
from casino.people.kept import about_nobody

about_nobody(Account, "owner_kind kind unit currency", "codes of the ledger; a deposit is its player's by an id")
about_nobody(Transfer, "kind key about", "codes, ids and amounts of what was posted")
