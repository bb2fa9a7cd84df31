"""Under which heading the calls of the lists are described."""

from casino.rest import Api

api = Api("waiting")
