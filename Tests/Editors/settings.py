#!/usr/bin/env python3
"""Starts an editor with settings on a scenario file with a mistake, and fails unless it shows what the server says of it.

    settings.py lua|elisp EDITOR SETTINGS      in an empty folder; "scenario" is in the PATH

Settings that apply fixes when a file is saved must have applied one, too. What the editor says goes to standard output.
"""

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 120
MISTAKE = 'version: 2\ntarget: { command: ["true"] }\nExpect: { exit: 0 }\n'

language, editor, settings = sys.argv[1:]
os.makedirs("scenarios", exist_ok=True)
file = pathlib.Path("scenarios/mistake.yaml")
file.write_text(MISTAKE)
if language == "lua":
    command = [editor, "--clean", "--headless", "-u", settings, file, "-c", f"luafile {HERE}/neovim.lua"]
else:
    command = [editor, "--batch", "--load", HERE / "emacs.el", "--load", settings, "--eval", "(settings-work)"]
try:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT, timeout=SECONDS)
except subprocess.TimeoutExpired:
    sys.exit(f"{editor} has not ended within {SECONDS} s")
if done.returncode == 0 and "BufWritePre" in pathlib.Path(settings).read_text() and "Expect" in file.read_text():
    sys.exit(f"the file was saved with the mistake that has a fix:\n{file.read_text()}")
sys.exit(done.returncode)
