"""Waits for sockets with both kinds of timeout, and prints how long that took in virtual seconds."""

import socket
import struct
import time


def tell(wait):
    start = time.monotonic_ns()
    try:
        result = wait()
    except OSError as error:
        result = type(error).__name__
    print(result, time.monotonic_ns() - start)


def set_timeout(end, option, seconds, microseconds):
    end.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", seconds, microseconds))


near, far = socket.socketpair()
set_timeout(near, socket.SO_RCVTIMEO, 90, 250_000)
tell(lambda: near.recv(1))
print(*struct.unpack("ll", near.getsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, 16)))

listener = socket.create_server(("127.0.0.1", 0))
listener.settimeout(60)
tell(listener.accept)

far.send(b"x")
tell(lambda: near.recv(1))
