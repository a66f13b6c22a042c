"""Uploads of phases without live sessions: quotas, archives of markups, predictions."""
