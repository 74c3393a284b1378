"""What Benchmarks/run measures of the network beside nginx: mitmdump, and the runner's memory."""

import os
import pathlib
import shutil
import socket
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ADDON = """from mitmproxy import http


def request(flow):
    flow.response = http.Response.make(200, b"ok", {"content-type": "text/plain"})
"""
# How much faster than mitmdump the mock server has to be.
WANTED = 20


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Mitmdump:
    """mitmdump as it comes from PyPI, which answers every request itself, with TLS and without."""

    @staticmethod
    def program():
        own = ROOT / ".build/mitmproxy/bin/mitmdump"
        return str(own) if own.exists() else shutil.which("mitmdump")

    def __init__(self, folder):
        self.port = free_port()
        addon = folder / "answer.py"
        addon.write_text(ADDON)
        self.process = subprocess.Popen(
            [self.program(), "--quiet", "--set", f"confdir={folder / 'mitmproxy'}",
             "--set", "connection_strategy=lazy",
             "--mode", "reverse:https://127.0.0.1:9", "--listen-host", "127.0.0.1",
             "--listen-port", str(self.port), "--scripts", addon],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(300):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.1)
        self.stop()
        raise SystemExit("mitmdump does not listen")

    def stop(self):
        self.process.terminate()
        self.process.wait()


def compare(rates):
    """Says how much faster the mock server is than mitmdump; rates are requests in a second by name."""
    if "mitmdump" not in rates:
        return
    ratio = rates["mock server"] / rates["mitmdump"]
    print(f"{'':37} mock server / mitmdump {ratio:6.1f}x ({WANTED} wanted)")


def memory(folder, program, scenario):
    """The largest resident set of the runner with many entries, and with many requests in its journal."""
    rows = {"no entry but one": (0, 1), "10,000 entries": (10_000, 1)}
    for count in [10_000, 100_000, 1_000_000]:
        rows[f"{count:,} requests in the journal"] = (0, count)
    base = None
    for index, (name, (entries, requests)) in enumerate(rows.items()):
        others = "".join(
            f"  - GET http://bench.example.com/other/{number}: {{ json: {{ id: {number} }} }}\n"
            for number in range(entries))
        command = scenario(
            folder, f"memory-network-{index}",
            f'version: 1\ntarget: {{ command: [{program}, 192.0.2.1, bench.example.com, "{requests}"] }}\n'
            "network: { unused: ignore }\ntimeout: 10m\nresponses:\n" + others
            + "  - GET http://bench.example.com/: { text: ok }\n")
        begin = time.perf_counter()
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL)
        # Its target is smaller than the runner itself.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - begin
        if process.returncode != 0:
            raise SystemExit(f"{command} ended with {process.returncode}")
        largest = usage.ru_maxrss
        base = base or largest
        each = (largest - base) * 1024 / max(entries, requests)
        print(f"{name:32} {largest / 1024:8.1f} MiB   {each:8.0f} bytes each   {wall:7.2f} s")
