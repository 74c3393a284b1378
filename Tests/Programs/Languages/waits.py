"""The Python probe: makes the waits that it is asked for, one after the other, and tells how long each took.

    waits.py NAME=MILLISECONDS...

One line for each, as the C probe writes them; a wait that ended otherwise is told as `NAME failed`.
"""

import asyncio
import concurrent.futures
import ctypes
import multiprocessing
import os
import queue
import sched
import select
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request

waits = {}


def wait(name):
    def note(function):
        waits[name] = function
        return function
    return note


def raises(error, function):
    try:
        function()
    except error:
        return True
    return False


def quiet_pipe():
    reader, writer = os.pipe()
    quiet_pipe.writers.append(writer)
    return reader


quiet_pipe.writers = []


def held(lock):
    """Lets another thread take a lock and keep it."""
    has_taken = threading.Event()

    def hold():
        lock.acquire()
        has_taken.set()
        threading.Event().wait()

    threading.Thread(target=hold, daemon=True).start()
    has_taken.wait()
    return lock


# Threads

@wait("time.sleep")
def _(seconds):
    time.sleep(seconds)
    return True


@wait("threading.Event.wait")
def _(seconds):
    return not threading.Event().wait(seconds)


@wait("threading.Condition.wait")
def _(seconds):
    condition = threading.Condition()
    with condition:
        return not condition.wait(seconds)


@wait("threading.Condition.wait_for")
def _(seconds):
    condition = threading.Condition()
    with condition:
        return not condition.wait_for(lambda: False, seconds)


@wait("threading.Lock.acquire")
def _(seconds):
    lock = threading.Lock()
    lock.acquire()
    return not lock.acquire(timeout=seconds)


@wait("threading.RLock.acquire")
def _(seconds):
    return not held(threading.RLock()).acquire(timeout=seconds)


@wait("threading.Semaphore.acquire")
def _(seconds):
    return not threading.Semaphore(0).acquire(timeout=seconds)


@wait("threading.Barrier.wait")
def _(seconds):
    return raises(threading.BrokenBarrierError, lambda: threading.Barrier(2).wait(seconds))


@wait("threading.Thread.join")
def _(seconds):
    thread = threading.Thread(target=threading.Event().wait, daemon=True)
    thread.start()
    thread.join(seconds)
    return thread.is_alive()


@wait("threading.Timer")
def _(seconds):
    fired = threading.Event()
    threading.Timer(seconds, fired.set).start()
    return fired.wait()


@wait("queue.Queue.get")
def _(seconds):
    return raises(queue.Empty, lambda: queue.Queue().get(timeout=seconds))


@wait("queue.SimpleQueue.get")
def _(seconds):
    return raises(queue.Empty, lambda: queue.SimpleQueue().get(timeout=seconds))


@wait("queue.Queue.put")
def _(seconds):
    full = queue.Queue(1)
    full.put(1)
    return raises(queue.Full, lambda: full.put(2, timeout=seconds))


@wait("sched.scheduler")
def _(seconds):
    fired = []
    scheduler = sched.scheduler(time.monotonic, time.sleep)
    scheduler.enter(seconds, 1, fired.append, ["second"])
    scheduler.enter(seconds / 2, 1, fired.append, ["first"])
    scheduler.run()
    return fired == ["first", "second"]


@wait("concurrent.futures.Future.result")
def _(seconds):
    future = concurrent.futures.Future()
    return raises(concurrent.futures.TimeoutError, lambda: future.result(seconds))


@wait("concurrent.futures.wait")
def _(seconds):
    future = concurrent.futures.Future()
    return concurrent.futures.wait([future], seconds).not_done == {future}


# Descriptors

@wait("select.select")
def _(seconds):
    return select.select([quiet_pipe()], [], [], seconds) == ([], [], [])


@wait("select.poll")
def _(seconds):
    poll = select.poll()
    poll.register(quiet_pipe(), select.POLLIN)
    return poll.poll(seconds * 1000) == []


@wait("select.epoll")
def _(seconds):
    epoll = select.epoll()
    epoll.register(quiet_pipe(), select.EPOLLIN)
    return epoll.poll(seconds) == []


@wait("selectors.DefaultSelector")
def _(seconds):
    selector = selectors.DefaultSelector()
    selector.register(quiet_pipe(), selectors.EVENT_READ)
    return selector.select(seconds) == []


def quiet_listener():
    return socket.create_server(("127.0.0.1", 0))


@wait("socket.settimeout-recv")
def _(seconds):
    with quiet_listener() as listener, socket.create_connection(listener.getsockname()) as client:
        client.settimeout(seconds)
        return raises(TimeoutError, lambda: client.recv(1))


@wait("socket.settimeout-accept")
def _(seconds):
    with quiet_listener() as listener:
        listener.settimeout(seconds)
        return raises(TimeoutError, listener.accept)


@wait("urllib.request.urlopen")
def _(seconds):
    with quiet_listener() as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        return raises(TimeoutError, lambda: urllib.request.urlopen(url, timeout=seconds))


# Processes

@wait("subprocess.run")
def _(seconds):
    run = lambda: subprocess.run(["sleep", "1000"], timeout=seconds)
    return raises(subprocess.TimeoutExpired, run)


# With pipes, it is poll that waits; without, a loop of short sleeps.
@wait("subprocess.communicate")
def _(seconds):
    with subprocess.Popen(["sleep", "1000"], stdout=subprocess.PIPE) as process:
        has_run_out = raises(
            subprocess.TimeoutExpired, lambda: process.communicate(timeout=seconds))
        process.kill()
        return has_run_out


@wait("multiprocessing.Connection.poll")
def _(seconds):
    reader, writer = multiprocessing.Pipe()
    with reader, writer:
        return not reader.poll(seconds)


@wait("multiprocessing.Process.join")
def _(seconds):
    process = multiprocessing.Process(target=time.sleep, args=[1000])
    process.start()
    process.join(seconds)
    is_alive = process.is_alive()
    process.kill()
    process.join()
    return is_alive


@wait("multiprocessing.Queue.get")
def _(seconds):
    return raises(queue.Empty, lambda: multiprocessing.Queue().get(timeout=seconds))


@wait("multiprocessing.Lock.acquire")
def _(seconds):
    lock = multiprocessing.Lock()
    lock.acquire()
    return not lock.acquire(timeout=seconds)


# asyncio

@wait("asyncio.sleep")
def _(seconds):
    asyncio.run(asyncio.sleep(seconds))
    return True


@wait("asyncio.wait_for")
def _(seconds):
    async def main():
        await asyncio.wait_for(asyncio.Event().wait(), seconds)
    return raises(asyncio.TimeoutError, lambda: asyncio.run(main()))


@wait("asyncio.wait")
def _(seconds):
    async def main():
        task = asyncio.create_task(asyncio.Event().wait())
        done, _ = await asyncio.wait([task], timeout=seconds)
        task.cancel()
        return not done
    return asyncio.run(main())


@wait("asyncio.call_later")
def _(seconds):
    async def main():
        loop = asyncio.get_running_loop()
        fired = loop.create_future()
        loop.call_later(seconds, fired.set_result, True)
        return await fired
    return asyncio.run(main())


@wait("asyncio.gather")
def _(seconds):
    async def main():
        await asyncio.gather(*(asyncio.sleep(seconds * share / 100) for share in range(1, 101)))
        return True
    return asyncio.run(main())


@wait("asyncio.create_subprocess_exec")
def _(seconds):
    async def main():
        process = await asyncio.create_subprocess_exec("sleep", "1000")
        try:
            await asyncio.wait_for(process.wait(), seconds)
            return False
        except asyncio.TimeoutError:
            process.kill()
            await process.wait()
            return True
    return asyncio.run(main())


# Signals

def until_alarm(arm):
    fired = []
    before = signal.signal(signal.SIGALRM, lambda *_: fired.append(True))
    arm()
    signal.pause()
    signal.signal(signal.SIGALRM, before)
    return fired == [True]


@wait("signal.alarm")
def _(seconds):
    return until_alarm(lambda: signal.alarm(int(seconds)))


@wait("signal.setitimer")
def _(seconds):
    return until_alarm(lambda: signal.setitimer(signal.ITIMER_REAL, seconds))


@wait("signal.sigtimedwait")
def _(seconds):
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    return signal.sigtimedwait([signal.SIGUSR1], seconds) is None


# A call from outside of the interpreter, which no import hook would see.
@wait("ctypes-usleep")
def _(seconds):
    return ctypes.CDLL(None).usleep(int(seconds * 1_000_000)) == 0


def milliseconds(nanoseconds):
    whole, rest = divmod(nanoseconds, 1_000_000)
    return f"{whole}.{rest:06}" if rest else str(whole)


def main():
    for word in sys.argv[1:]:
        name, _, length = word.partition("=")
        if name not in waits:
            sys.exit(f"waits: there is no wait \"{word}\"")
        monotonic, wall = time.monotonic_ns(), time.time_ns()
        has_run_out = waits[name](int(length) / 1000)
        monotonic, wall = time.monotonic_ns() - monotonic, time.time_ns() - wall
        line = f"{name} elapsed_ms={milliseconds(monotonic)}" if has_run_out else f"{name} failed"
        if has_run_out and wall != monotonic:
            line += f" wall_ms={milliseconds(wall)}"
        print(line, flush=True)
    # Threads that never end are not waited for.
    os._exit(0)


if __name__ == "__main__":
    main()
