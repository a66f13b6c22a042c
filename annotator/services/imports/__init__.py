"""Essays and markups from files: what would come of them is told, then done, and undone."""
