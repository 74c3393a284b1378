"""A headless Firefox that is spoken to by WebDriver BiDi over a socket."""

import base64
import glob
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += glob.glob(str(ROOT / ".build/python/lib/python3*/site-packages"))

# The values of keys that write nothing (https://www.w3.org/TR/webdriver2/#keyboard-actions).
KEYS = {
    "Enter": "\ue006", "Escape": "\ue00c", "ArrowLeft": "\ue012", "ArrowUp": "\ue013",
    "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Home": "\ue011", "End": "\ue010",
    "PageDown": "\ue00f", "Tab": "\ue004", "Space": " ",
    "Alt": "\ue00a", "Control": "\ue009", "Meta": "\ue03d", "Shift": "\ue008",
}

# Nothing is fetched that no page has asked for.
SETTINGS = {
    "app.update.enabled": False,
    "app.normandy.enabled": False,
    "browser.startup.page": 0,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.topsites.contile.enabled": False,
    "browser.newtabpage.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.ipc.processPrelaunch.enabled": False,
    "extensions.getAddons.cache.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.server": "",
    "ui.prefersReducedMotion": 1,
}


class Firefox:
    def __init__(self, width, height, scheme, deadline):
        self.size, self.deadline = (width, height), deadline
        self.folder = tempfile.mkdtemp(prefix="scenario-browser-")
        settings = SETTINGS | {"layout.css.prefers-color-scheme.content-override": 0 if scheme == "dark" else 1}
        pathlib.Path(self.folder, "user.js").write_text(
            "".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in settings.items()))
        program = shutil.which("firefox-esr") or shutil.which("firefox") or sys.exit("error: there is no Firefox")
        self.process = subprocess.Popen(
            [program, "--headless", "--no-remote", "--profile", self.folder, "--remote-debugging-port", "0", "about:blank"],
            env=os.environ | {"HOME": self.folder, "MOZ_CRASHREPORTER_DISABLE": "1"},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.number = 0
        self.problems = []
        self.requests = {}
        self.connect()

    def connect(self):
        try:
            from websockets.sync.client import connect
        except ImportError:
            sys.exit("error: websockets is missing: run Tests/install-dependencies.sh test")
        place = pathlib.Path(self.folder, "WebDriverBiDiServer.json")
        while True:
            try:
                port = json.loads(place.read_text())["ws_port"]
                break
            except (OSError, ValueError, KeyError):
                if time.monotonic() > self.deadline or self.process.poll() is not None:
                    sys.exit("error: Firefox does not start")
                time.sleep(0.02)
        self.socket = connect(f"ws://127.0.0.1:{port}/session", max_size=None, compression=None, ping_interval=None)
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        self.context = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def close(self):
        # Its other processes end with the first one.
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, isTolerant=False, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if answer["type"] == "error" and isTolerant:
                    return {}
                if answer["type"] == "error":
                    sys.exit(f"error: {method}: {answer['error']}: {answer['message']}")
                return answer["result"]
            self.note(answer)

    def read(self):
        try:
            return json.loads(self.socket.recv(timeout=max(0, self.deadline - time.monotonic())))
        except TimeoutError:
            sys.exit("error: the browser does not answer")

    def note(self, event):
        method, parameters = event.get("method"), event.get("params", {})
        if method == "log.entryAdded" and parameters["level"] in ("error", "warn"):
            self.problems.append(parameters["text"])
        elif method == "network.beforeRequestSent":
            self.requests[parameters["request"]["request"]] = parameters["request"]["url"]

    def open(self, address):
        # It tells of no file that it reads.
        if address.startswith("file:"):
            self.requests[address] = address
        self.call("browsingContext.setViewport", context=self.context,
                  viewport={"width": self.size[0], "height": self.size[1]}, devicePixelRatio=1)
        self.call("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def evaluate(self, code):
        result = self.call("script.evaluate", expression=code, target={"context": self.context}, awaitPromise=True,
                           userActivation=True)
        if result["type"] == "exception":
            sys.exit("error: " + result["exceptionDetails"]["text"])
        return plain(result["result"])

    def holds(self, code):
        """Whether JavaScript gives something true; not where the page is being loaded."""
        result = self.call("script.evaluate", isTolerant=True, expression=f"Boolean({code})",
                           target={"context": self.context}, awaitPromise=False)
        return result.get("result", {}).get("value") is True

    def act(self, kind, actions, **more):
        self.call("input.performActions", context=self.context,
                  actions=[{"type": kind, "id": kind, "actions": actions, **more}])

    def press(self, name):
        names = []
        while "+" in name[:-1]:
            modifier, name = name.split("+", 1)
            names.append(modifier)
        values = [KEYS.get(each, each) for each in names + [name]]
        self.act("key", [{"type": "keyDown", "value": each} for each in values]
                 + [{"type": "keyUp", "value": each} for each in reversed(values)])

    def type(self, text):
        self.act("key", [{"type": kind, "value": each} for each in text for kind in ("keyDown", "keyUp")])

    def click(self, x, y):
        self.act("pointer", [{"type": "pointerMove", "x": round(x), "y": round(y)},
                             {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}])

    def picture(self):
        return base64.b64decode(self.call("browsingContext.captureScreenshot", context=self.context)["data"])


def plain(value):
    """A value of JavaScript as one of JSON."""
    kind, content = value["type"], value.get("value")
    if kind == "array":
        return [plain(each) for each in content]
    if kind == "object":
        return {name: plain(each) for name, each in content}
    return content
