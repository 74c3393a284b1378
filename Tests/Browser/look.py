#!/usr/bin/env python3
"""Opens a page in a headless browser and does with it what the arguments say.

Usage: look.py PAGE [--browser NAME] [--width N] [--height N] [--dark] STEP...

The browser is chromium or firefox; unless said, what PAGE_BROWSER names, or chromium.

Steps, in order:
  eval:CODE        evaluates JavaScript, awaits it, and writes the result as one line of JSON
  key:NAME         presses a key, such as key:Enter, key:/ or key:Shift+ArrowRight
  type:TEXT        types text into what has the focus
  click:SELECTOR   clicks the middle of an element
  go:HASH          sets the address's hash
  until:CODE       waits until JavaScript gives something true, also where the page loads anew meanwhile
  sh:COMMAND       lets a shell do something beside the page
  shot:FILE        writes a screenshot
  memory:          writes how many bytes the browser's processes take beyond those before the page was opened
  axe:             lets axe-core judge what is shown by WCAG 2.2 A and AA, and writes what it objects to

The last line is an object: "problems" (errors and warnings of the console, uncaught exceptions, violated
policies) and "requests" (every address that the page was let ask for, itself included). A step that cannot
be done ends everything with exit code 1.
"""

import json
import os
import pathlib
import subprocess
import sys
import time

from chromium import Chromium
from firefox import Firefox

ROOT = pathlib.Path(__file__).resolve().parents[2]
AXE = ".build/python/lib/python3*/site-packages/axe_playwright_python/axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
BROWSERS = {"chromium": Chromium, "firefox": Firefox}
DEADLINE = 120  # seconds for everything: a bound for what hangs, not a measure
SETTLED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))"


def wait(browser, code):
    while not browser.holds(code):
        if time.monotonic() > browser.deadline:
            sys.exit(f"error: this never came: {code}")
        time.sleep(0.05)


def click(browser, selector):
    place = browser.evaluate(
        f"(() => {{ const node = document.querySelector({json.dumps(selector)}); if (!node) return null;"
        " node.scrollIntoView({ block: 'center' }); const box = node.getBoundingClientRect();"
        " return [box.x + box.width / 2, box.y + box.height / 2]; })()")
    if place is None:
        sys.exit(f"error: nothing matches {selector}")
    browser.click(*place)


def judge(browser):
    script = next(ROOT.glob(AXE), None)
    if script is None:
        sys.exit("error: axe-core is missing: run Tests/install-dependencies.sh test")
    browser.evaluate("{ delete window.axe; }\n" + script.read_text() + "\n;0")
    options = {"runOnly": {"type": "tag", "values": RULES}}
    return browser.evaluate(
        f"axe.run(document, {json.dumps(options)}).then((found) => found.violations.flatMap((each) =>"
        " each.nodes.map((node) => `${each.id}: ${node.target.join(' ')}`)))")


def memory(process):
    """The bytes that a process and those below it take, each its share of what several have."""
    total = 0
    waiting = [process]
    while waiting:
        process = waiting.pop()
        try:
            share = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text()
            total += 1024 * next(int(each.split()[1]) for each in share.splitlines() if each.startswith("Pss:"))
            for task in pathlib.Path(f"/proc/{process}/task").iterdir():
                waiting += (task / "children").read_text().split()
        except (OSError, StopIteration):
            pass  # It has ended meanwhile.
    return total


def write(value):
    print(json.dumps(value, ensure_ascii=False), flush=True)


def perform(browser, step):
    kind, _, value = step.partition(":")
    if kind == "eval":
        write(browser.evaluate(value))
    elif kind == "key":
        browser.press(value)
    elif kind == "type":
        browser.type(value)
    elif kind == "click":
        click(browser, value)
    elif kind == "go":
        browser.evaluate(f"location.hash = {json.dumps(value)}")
    elif kind == "until":
        wait(browser, value)
    elif kind == "sh":
        subprocess.run(value, shell=True, check=True, stdout=subprocess.DEVNULL)
    elif kind == "axe":
        write(judge(browser))
    elif kind == "memory":
        write(memory(browser.process.pid) - browser.bare)
    elif kind == "shot":
        pathlib.Path(value).write_bytes(browser.picture())
    else:
        sys.exit(f"error: \"{step}\" is no step")
    browser.evaluate(SETTLED)


def main():
    arguments = sys.argv[1:]
    options = {"width": 1280, "height": 900}
    steps = []
    page, scheme, name = None, "light", os.environ.get("PAGE_BROWSER") or "chromium"
    while arguments:
        argument = arguments.pop(0)
        if argument in ("--width", "--height"):
            options[argument[2:]] = int(arguments.pop(0))
        elif argument == "--dark":
            scheme = "dark"
        elif argument == "--browser":
            name = arguments.pop(0)
        elif page is None:
            page = argument
        else:
            steps.append(argument)
    if page is None:
        sys.exit(__doc__)
    if name not in BROWSERS:
        sys.exit(f"error: \"{name}\" is no browser; there are {', '.join(BROWSERS)}")
    browser = BROWSERS[name](**options, scheme=scheme, deadline=time.monotonic() + DEADLINE)
    try:
        browser.bare = memory(browser.process.pid) if "memory:" in steps else 0
        browser.open(pathlib.Path(page).resolve().as_uri() if "://" not in page else page)
        browser.evaluate(SETTLED)
        for step in steps:
            perform(browser, step)
        write({"problems": browser.problems, "requests": list(browser.requests.values())})
    finally:
        browser.close()


if __name__ == "__main__":
    main()
