"""What Benchmarks/run measures of the mock server beside nginx and mitmdump: a load generator is the target."""

import os
import shutil
import statistics
import subprocess
import time

import network

SEARCHED = "/usr/sbin:" + os.environ["PATH"]
CONNECTIONS = [1, 16, 64]
# The most that a median latency may be of nginx's, the least that a rate may be of it, and the most that a computed
# reply may cost of a fixed one.
LATENCY, RATE, COMPUTED = 2, 0.5, 1.3
NGINX = """daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/errors;
events {{}}
http {{
  access_log off; keepalive_requests 1000000000;
  client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
  uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
  server {{
    listen 127.0.0.1:{plain}; listen 127.0.0.1:{secure} ssl http2;
    ssl_certificate {folder}/leaf.pem; ssl_certificate_key {folder}/key.pem;
    location / {{ default_type text/plain; return 200 ok; }}
  }}
}}
"""
HOST = "bench.example.com"
# Each computed reply and the fixed one stand behind the same number of entries.
KINDS = {
    "fixed": f"  - GET http://{HOST}/: {{ text: ok }}\n",
    "stateful": f"  - {{ request: GET http://{HOST}/, when: {{ mode: ready }}, set: {{ mode: ready }}, "
                "reply: { text: ok }, then: repeat }\n",
    "templated": f"  - GET http://{HOST}/: {{ text: \"${{{{ request.method }}}}\" }}\n",
}


class Nginx:
    """nginx with one worker, which answers by HTTP, TLS and HTTP/2."""

    def __init__(self, folder):
        self.plain, self.secure = network.free_port(), network.free_port()
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
             "-nodes", "-subj", "/CN=bench", "-keyout", folder / "key.pem", "-out", folder / "leaf.pem"],
            check=True, stderr=subprocess.DEVNULL)
        settings = folder / "nginx.conf"
        settings.write_text(NGINX.format(folder=folder, plain=self.plain, secure=self.secure))
        self.process = subprocess.Popen(
            [shutil.which("nginx", path=SEARCHED), "-c", settings], stderr=subprocess.DEVNULL)
        time.sleep(0.5)

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Load:
    """A load generator for one protocol and a number of connections: what to run, and what it has measured."""

    def __init__(self, protocol, count, folder):
        self.output, self.log = folder / "load", folder / "load.tsv"
        self.scheme = "http" if protocol == "http" else "https"
        self.is_h2 = protocol == "h2"
        if self.is_h2:
            self.words = ["h2load", "-t1", f"-c{count}", "-m1", "-D2", f"--log-file={self.log}"]
        else:
            self.words = ["wrk", "-t1", f"-c{count}", "-d2s", "--latency"]

    def command(self, place):
        """A line for sh."""
        return " ".join(self.words) + f" {self.scheme}://{place}/ > {self.output}"

    def figures(self):
        """The median latency in microseconds, and requests in a second, of the last run."""
        text = self.output.read_text()
        if not self.is_h2:
            return wrk_figures(text)
        rows = [line.split("\t") for line in self.log.read_text().splitlines()]
        self.log.unlink()
        times = [int(time) for _, status, time in rows if status == "200"]
        rate = next(line for line in text.splitlines() if line.startswith("finished in"))
        return float(statistics.median(times)), float(rate.split(", ")[1].split()[0])

    def measured(self, run, place):
        run(["sh", "-c", self.command(place)])
        return self.figures()


def wrk_figures(text):
    """The median latency in microseconds, and requests in a second."""
    units = {"us": 1, "ms": 1e3, "s": 1e6}
    latency = next(line.split()[1] for line in text.splitlines() if line.split()[:1] == ["50%"])
    unit = next(unit for unit in ["us", "ms", "s"] if latency.endswith(unit))
    rate = next(
        float(line.split()[1]) for line in text.splitlines() if line.startswith("Requests/sec"))
    return float(latency.removesuffix(unit)) * units[unit], rate


def supervised(folder, scenario, load, responses):
    """A scenario whose target is the load generator, and that answers with 100 entries."""
    others = "".join(
        f"  - GET http://{HOST}/other/{number}: {{ text: other }}\n" for number in range(98))
    return scenario(
        folder, "requests",
        f'version: 2\ntarget: {{ command: [sh, -c, "{load.command(HOST)}"] }}\n'
        "network: { unused: ignore }\nstate: { mode: ready }\ntimeout: 1m\nresponses:\n"
        + others + responses)


def best(rounds):
    """The least median and the highest rate of all rounds."""
    return min(latency for latency, _ in rounds), max(rate for _, rate in rounds)


def compare(folder, run, scenario, rounds):
    """Requests on connections that are kept, by protocol and number of connections."""
    if not shutil.which("wrk") or not shutil.which("nginx", path=SEARCHED):
        print("skipped: there is no wrk or no nginx")
        return
    protocols = ["http", "https"] + (["h2"] if shutil.which("h2load") else [])
    if "h2" not in protocols:
        print("there is no h2load: HTTP/2 is skipped")
    nginx = Nginx(folder)
    proxy = network.Mitmdump(folder) if network.Mitmdump.program() else None
    if not proxy:
        print("there is no mitmdump: compared with nginx alone")
    responses = KINDS["fixed"] + f"  - GET https://{HOST}/: {{ text: ok }}\n"
    try:
        for protocol in protocols:
            for count in CONNECTIONS:
                load = Load(protocol, count, folder)
                port = nginx.plain if protocol == "http" else nginx.secure
                command = supervised(folder, scenario, load, responses)
                figures = {"nginx": [], "mock server": []} | ({"mitmdump": []} if proxy else {})
                for _ in range(rounds):
                    figures["nginx"].append(load.measured(run, f"127.0.0.1:{port}"))
                    run(command)
                    figures["mock server"].append(load.figures())
                    if proxy:
                        figures["mitmdump"].append(load.measured(run, f"127.0.0.1:{proxy.port}"))
                report(f"{protocol:5} {count:3} connections", figures)
    finally:
        if proxy:
            proxy.stop()
        nginx.stop()


def report(title, figures):
    """Prints each server's best figures beside nginx's, and whether the mock server's are as wanted."""
    floor = best(figures["nginx"])
    for name, values in figures.items():
        latency, rate = best(values)
        print(f"{title} {name:11} median {latency:8.1f} us ({latency / floor[0]:5.2f}x)"
              f"   {rate:10,.0f}/s ({rate / floor[1]:5.3f}x)"
              f"   slowest round {min(rate for _, rate in values):10,.0f}/s")
    latency, rate = best(figures["mock server"])
    print(f"{'':21} wanted: median at most {LATENCY}x{missed(latency > LATENCY * floor[0])}, "
          f"rate at least {RATE}x{missed(rate < RATE * floor[1])}")
    network.compare({name: best(values)[1] for name, values in figures.items()})


def missed(is_missed):
    return " (MISSED)" if is_missed else ""


def computed(folder, run, scenario, rounds):
    """A reply that depends on the state, and one with an expression, beside a fixed one."""
    if not shutil.which("wrk"):
        print("skipped: there is no wrk")
        return
    load = Load("http", 16, folder)
    rates = {kind: [] for kind in KINDS}
    for _ in range(rounds):
        for kind, entry in KINDS.items():
            run(supervised(folder, scenario, load, entry))
            rates[kind].append(load.figures()[1])
    fixed = max(rates["fixed"])
    for kind, values in rates.items():
        price = fixed / max(values)
        print(f"{kind:10} {max(values):10,.0f}/s   price {price:5.2f}x"
              + ("" if kind == "fixed" else f" (wanted: at most {COMPUTED}x){missed(price > COMPUTED)}"))
