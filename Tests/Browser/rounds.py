#!/usr/bin/env python3
"""Looks at a page that `scenario ui` would serve, and that a round has outdated before the page hears of rounds.

Usage: rounds.py EVENT PAGE... -- ARGUMENT...

Serves the pages in turn, the last one as often as it is asked for, and EVENT to whoever follows the run. The
arguments are those of look.py behind the page's address.
"""

import http.server
import pathlib
import subprocess
import sys
import threading


def main():
    event, *rest = sys.argv[1:]
    place = rest.index("--")
    pages = [pathlib.Path(each).read_bytes() for each in rest[:place]]

    class Server(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            isEvents = self.path.endswith("/events")
            body = f"data: {event}\n\n".encode() if isEvents else pages[0]
            if not isEvents and self.path == "/" and len(pages) > 1:
                del pages[0]
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream" if isEvents else "text/html; charset=utf-8")
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(body)
            self.wfile.flush()
            if isEvents:
                # Who follows a run hears nothing more, and is not told that it has ended.
                threading.Event().wait()

        def log_message(self, *words):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        look = pathlib.Path(__file__).with_name("look.py")
        sys.exit(subprocess.run(
            ["python3", look, f"http://127.0.0.1:{server.server_port}/"] + rest[place + 1:]).returncode)


if __name__ == "__main__":
    main()
