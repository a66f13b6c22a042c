"""How long a test waits for what comes at once: only a test that fails waits so long."""

PATIENCE = 60
"""Seconds; enough for a machine at a third of its pace with other tests beside."""
