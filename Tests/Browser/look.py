#!/usr/bin/env python3
"""Opens a page in a headless Chromium and does with it what the arguments say.

Usage: look.py PAGE [--width N] [--height N] [--dark] [--print] STEP...

Steps, in order:
  eval:CODE        evaluates JavaScript, awaits it, and writes the result as one line of JSON
  key:NAME         presses a key, such as key:Enter, key:/ or key:Shift+ArrowRight
  type:TEXT        types text into what has the focus
  click:SELECTOR   clicks the middle of an element
  go:HASH          sets the address's hash
  until:CODE       waits until JavaScript gives something true, also where the page loads anew meanwhile
  sh:COMMAND       lets a shell do something beside the page
  shot:FILE        writes a screenshot
  axe:             lets axe-core judge what is shown by WCAG 2.2 A and AA, and writes what it objects to

The last line is an object: "problems" (errors and warnings of the console, uncaught exceptions, violated
policies) and "requests" (every address that the page was let ask for, itself included). A step that cannot
be done ends everything with exit code 1.
"""

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

ROOT = pathlib.Path(__file__).resolve().parents[2]
AXE = ".build/python/lib/python3*/site-packages/axe_playwright_python/axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
DEADLINE = 120  # seconds for everything: a bound for what hangs, not a measure

KEYS = {
    "Enter": (13, "\r"), "Escape": (27, ""), "ArrowLeft": (37, ""), "ArrowUp": (38, ""),
    "ArrowRight": (39, ""), "ArrowDown": (40, ""), "Home": (36, ""), "End": (35, ""),
    "PageDown": (34, ""), "Tab": (9, ""), "Space": (32, " "),
}


class Browser:
    """A Chromium that is spoken to by the DevTools protocol over two pipes."""

    def __init__(self, width, height):
        self.deadline = time.monotonic() + DEADLINE
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
        self.loaded = False

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
        elif method == "Page.loadEventFired":
            self.loaded = True

    def open(self, page):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.target = pathlib.Path(page).resolve().as_uri() if "://" not in page else page

    def load(self):
        self.call("Page.navigate", url=self.target)
        while not self.loaded:
            self.note(self.read())

    def settle(self):
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def evaluate(self, code):
        result = self.call("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            sys.exit("error: " + details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def wait(self, code):
        while True:
            result = self.call("Runtime.evaluate", isTolerant=True, expression=f"Boolean({code})", returnByValue=True)
            if result.get("result", {}).get("value") is True:
                return
            if time.monotonic() > self.deadline:
                sys.exit(f"error: this never came: {code}")
            time.sleep(0.05)

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

    def click(self, selector):
        code = (
            f"(() => {{ const node = document.querySelector({json.dumps(selector)}); if (!node) return null;"
            " node.scrollIntoView({ block: 'center' }); const box = node.getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; })()")
        place = self.evaluate(code)
        if place is None:
            sys.exit(f"error: nothing matches {selector}")
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1],
                      button="none" if kind == "mouseMoved" else "left", clickCount=1)

    def judge(self):
        script = next(ROOT.glob(AXE), None)
        if script is None:
            sys.exit("error: axe-core is missing: run Tests/install-dependencies.sh test")
        self.evaluate("{ delete window.axe; }\n" + script.read_text() + "\n;0")
        options = {"runOnly": {"type": "tag", "values": RULES}}
        return self.evaluate(
            f"axe.run(document, {json.dumps(options)}).then((found) => found.violations.flatMap((each) =>"
            " each.nodes.map((node) => `${each.id}: ${node.target.join(' ')}`)))")

    def perform(self, step):
        kind, _, value = step.partition(":")
        if kind == "eval":
            print(json.dumps(self.evaluate(value), ensure_ascii=False), flush=True)
        elif kind == "key":
            self.press(value)
        elif kind == "type":
            self.call("Input.insertText", text=value)
        elif kind == "click":
            self.click(value)
        elif kind == "go":
            self.evaluate(f"location.hash = {json.dumps(value)}")
        elif kind == "until":
            self.wait(value)
        elif kind == "sh":
            subprocess.run(value, shell=True, check=True, stdout=subprocess.DEVNULL)
        elif kind == "axe":
            print(json.dumps(self.judge(), ensure_ascii=False), flush=True)
        elif kind == "shot":
            data = self.call("Page.captureScreenshot", format="png")["data"]
            pathlib.Path(value).write_bytes(base64.b64decode(data))
        else:
            sys.exit(f"error: \"{step}\" is no step")
        self.settle()


def main():
    arguments = sys.argv[1:]
    options = {"width": 1280, "height": 900}
    steps = []
    page, scheme, medium = None, "light", ""
    while arguments:
        argument = arguments.pop(0)
        if argument in ("--width", "--height"):
            options[argument[2:]] = int(arguments.pop(0))
        elif argument == "--dark":
            scheme = "dark"
        elif argument == "--print":
            medium = "print"
        elif page is None:
            page = argument
        else:
            steps.append(argument)
    if page is None:
        sys.exit(__doc__)
    browser = Browser(**options)
    try:
        browser.open(page)
        browser.call("Emulation.setDeviceMetricsOverride", width=options["width"],
                     height=options["height"], deviceScaleFactor=1, mobile=False)
        browser.call("Emulation.setEmulatedMedia", media=medium,
                     features=[{"name": "prefers-color-scheme", "value": scheme}])
        browser.load()
        browser.settle()
        for step in steps:
            browser.perform(step)
        print(json.dumps({"problems": browser.problems, "requests": list(browser.requests.values())}))
    finally:
        browser.close()


if __name__ == "__main__":
    main()
