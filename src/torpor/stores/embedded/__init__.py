"""The embedded store: sandboxes as folders on this machine's disk (SQLite and an extent file).

`store` has the layout of the folder; `database`, `extents` and `durable` say in which order things
become durable. Nothing here knows what a record's payload means.
"""

from torpor.stores.embedded.sandbox import EmbeddedSandbox
from torpor.stores.embedded.store import EmbeddedStore

__all__ = ["EmbeddedSandbox", "EmbeddedStore"]
