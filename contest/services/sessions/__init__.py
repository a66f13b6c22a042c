"""Exchange sessions: opened, their files handed out, answers taken in, ended, settled (R 7)."""
