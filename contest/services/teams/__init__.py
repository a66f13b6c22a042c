"""Teams: they apply, their members join and leave, judges and the commission decide (R 3, 8.1)."""
