"""Prints every message that a language server has for the files of a folder, with file and line, without help.

    mistakes.py FOLDER SERVER...
"""

import json
import os
import subprocess
import sys

folder, command = sys.argv[1], sys.argv[2:]


def framed(message):
    content = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(content) + content


requests = framed({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}})
for name in sorted(os.listdir(folder)):
    with open(f"{folder}/{name}") as file:
        document = {"uri": f"file://{folder}/{name}", "languageId": "yaml", "version": 1, "text": file.read()}
    requests += framed(
        {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}})
requests += framed({"jsonrpc": "2.0", "id": 2, "method": "shutdown"})
requests += framed({"jsonrpc": "2.0", "method": "exit"})
answers = subprocess.run(command, input=requests, stdout=subprocess.PIPE, cwd=folder, check=True).stdout
while answers:
    header, answers = answers.split(b"\r\n\r\n", 1)
    length = int(header.split(b":")[1])
    answer, answers = json.loads(answers[:length]), answers[length:]
    told = answer.get("params", {})
    for diagnostic in told.get("diagnostics", []):
        name, line = os.path.basename(told["uri"]), diagnostic["range"]["start"]["line"] + 1
        print(f"{name}:{line}: " + diagnostic["message"].split("\nhelp: ")[0])
