"""A headless Chromium that is spoken to by the DevTools protocol over two pipes."""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import sys
import tempfile
import time

KEYS = {
    "Enter": (13, "\r"), "Escape": (27, ""), "ArrowLeft": (37, ""), "ArrowUp": (38, ""),
    "ArrowRight": (39, ""), "ArrowDown": (40, ""), "Home": (36, ""), "End": (35, ""),
    "PageDown": (34, ""), "Tab": (9, ""), "Space": (32, " "),
}


class Chromium:
    def __init__(self, width, height, scheme, deadline):
        self.size, self.scheme, self.deadline = (width, height), scheme, deadline
        self.folder = tempfile.mkdtemp(prefix="scenario-browser-")
        child_reads, self.out = os.pipe()
        self.inn, child_writes = os.pipe()

        def place():
            # The browser reads from descriptor 3 and writes to 4; neither may be overwritten on the way.
            high = os.dup(child_reads), os.dup(child_writes)
            spare = [os.dup2(each, 50 + index) for index, each in enumerate(high)]
            os.dup2(spare[0], 3)
            os.dup2(spare[1], 4)

        program = shutil.which("chromium") or shutil.which("chromium-browser") or "google-chrome"
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-dev-shm-usage", "--disable-background-networking", "--disable-sync",
             "--disable-component-update", "--disable-extensions", "--hide-scrollbars",
             "--remote-debugging-pipe", f"--user-data-dir={self.folder}",
             f"--window-size={width},{height}", "about:blank"],
            preexec_fn=place, close_fds=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(child_reads)
        os.close(child_writes)
        self.rest = b""
        self.number = 0
        self.session = None
        self.problems = []
        self.requests = {}
        self.arrived = self.loaded = False

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, isTolerant=False, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.write_all(json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer and isTolerant:
                    return {}
                if "error" in answer:
                    sys.exit(f"error: {method}: {answer['error']}")
                return answer["result"]
            self.note(answer)

    def write_all(self, data):
        while data:
            data = data[os.write(self.out, data):]

    def read(self):
        while b"\0" not in self.rest:
            left = self.deadline - time.monotonic()
            if left <= 0 or not select.select([self.inn], [], [], left)[0]:
                sys.exit("error: the browser does not answer")
            data = os.read(self.inn, 1 << 20)
            if not data:
                sys.exit("error: the browser has ended")
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def note(self, event):
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.problems.append(" ".join(str(each.get("value", each.get("description"))) for each in parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.problems.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests[parameters["requestId"]] = parameters["request"]["url"]
        elif method == "Network.loadingFailed" and parameters.get("blockedReason"):
            # The page's own policy has kept it from leaving.
            self.requests.pop(parameters["requestId"], None)
        elif method == "Page.frameNavigated" and "parentId" not in parameters["frame"]:
            # The empty page before it is loaded as well.
            self.arrived, self.loaded = parameters["frame"]["url"] != "about:blank", False
        elif method == "Page.loadEventFired":
            self.loaded = True

    def open(self, address):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=self.size[0], height=self.size[1],
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": self.scheme}])
        self.call("Page.navigate", url=address)
        while not (self.arrived and self.loaded):
            self.note(self.read())

    def evaluate(self, code):
        result = {}
        while not result:
            # A page that is loaded anew meanwhile gives nothing.
            result = self.call("Runtime.evaluate", isTolerant=True, expression=code, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            sys.exit("error: " + details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def holds(self, code):
        """Whether JavaScript gives something true; not where the page is being loaded."""
        result = self.call("Runtime.evaluate", isTolerant=True, expression=f"Boolean({code})", returnByValue=True)
        return result.get("result", {}).get("value") is True

    def press(self, name):
        modifiers = 0
        while "+" in name[:-1]:
            modifier, name = name.split("+", 1)
            modifiers |= {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}[modifier]
        code, text = KEYS.get(name, (ord(name.upper()[0]), name))
        key = {"key": name if name != "Space" else " ", "windowsVirtualKeyCode": code, "modifiers": modifiers}
        kind = {"type": "keyDown", "text": text} if text else {"type": "rawKeyDown"}
        self.call("Input.dispatchKeyEvent", **key, **kind)
        self.call("Input.dispatchKeyEvent", type="keyUp", **key)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def click(self, x, y):
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y,
                      button="none" if kind == "mouseMoved" else "left", clickCount=1)

    def picture(self):
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
