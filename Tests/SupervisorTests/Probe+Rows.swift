// What each probe is asked for, and what it must answer. A row without further words lasts exactly as
// long as it was asked to.

extension Probe {
  /// Every probe.
  static let all = [
    compiled("c-waits", c + gnu), compiled("c-waits-static", c + gnu), compiled("c-waits-musl", c),
    compiled("cpp-waits", cpp), compiled("rust-waits", rust), compiled("swift-waits", swift),
    compiled("go-waits", go),
    Probe(
      name: "java",
      command: ["/usr/bin/java", "-cp", "\(root)/.build/programs/languages/java", "Waits"],
      rows: java),
    interpreted("python", by: "/usr/bin/python3", "waits.py", python),
    interpreted("node", by: "/usr/bin/node", "waits.mjs", node),
    interpreted("perl", by: "/usr/bin/perl", "waits.pl", perl),
    interpreted("ruby", by: "/usr/bin/ruby", "waits.rb", ruby),
    interpreted("bash", by: "/usr/bin/bash", "waits.bash", bash),
    interpreted("php", by: "/usr/bin/php", "waits.php", php),
  ]

  private static func rows(_ names: String..., kind: WaitKind = .plain) -> [ProbeRow] {
    names.map { ProbeRow($0, kind: kind) }
  }

  // MARK: - Compiled

  private static let c =
    rows(
      "nanosleep", "clock_nanosleep", "clock_nanosleep-monotonic", "clock_nanosleep-realtime",
      "clock_nanosleep-boottime", "thrd_sleep", "pthread_cond_timedwait",
      "pthread_cond_timedwait-monotonic", "cnd_timedwait", "pthread_mutex_timedlock",
      "pthread_mutex_timedlock-pi", "mtx_timedlock", "pthread_rwlock_timedrdlock",
      "pthread_rwlock_timedwrlock", "sem_timedwait", "pthread_timedjoin_np", "futex-requeue-pi",
      "poll", "ppoll", "select", "pselect", "epoll_wait", "epoll_pwait", "aio_suspend"
    ) + [ProbeRow("sleep", 3000), ProbeRow("usleep", 999)]
    + rows(
      "timerfd-read", "timerfd-poll", "timerfd-epoll", "timer_create-SIGEV_SIGNAL",
      "timer_create-SIGEV_THREAD_ID", "timer_create-SIGEV_THREAD", "timer_create-handler",
      "setitimer", kind: .timer)
    + [
      ProbeRow("timerfd-periods", 2400, kind: .timer), ProbeRow("alarm", 3000, kind: .timer),
      ProbeRow("ualarm", 999, kind: .timer),
    ]
    + rows(
      "recv-SO_RCVTIMEO", "read-SO_RCVTIMEO", "recvmsg-SO_RCVTIMEO", "accept-SO_RCVTIMEO",
      "send-SO_SNDTIMEO", "connect-SO_SNDTIMEO", kind: .socketTimeout)
    + [ProbeRow("recvmmsg", 2500, expected: 3750, kind: .socketTimeout)]
    + rows(
      "mq_timedreceive", "mq_timedsend", "semtimedop", "sigtimedwait", "io_getevents",
      "futex_waitv", kind: .rare)

  private static let gnu = rows(
    "pthread_cond_clockwait", "pthread_mutex_clocklock", "pthread_mutex_clocklock-pi",
    "pthread_rwlock_clockrdlock", "pthread_rwlock_clockwrlock", "sem_clockwait",
    "pthread_clockjoin_np", "epoll_pwait2")

  private static let cpp = rows(
    "this_thread::sleep_for", "this_thread::sleep_until-steady", "this_thread::sleep_until-system",
    "condition_variable::wait_for", "condition_variable::wait_until",
    "condition_variable_any::wait_for", "condition_variable_any::wait_for-stop_token",
    "future::wait_for", "future::wait_until", "shared_future::wait_for",
    "timed_mutex::try_lock_for", "timed_mutex::try_lock_until",
    "recursive_timed_mutex::try_lock_for", "shared_timed_mutex::try_lock_shared_for",
    "counting_semaphore::try_acquire_for", "counting_semaphore::try_acquire_until", "jthread")

  private static let rust =
    rows(
      "thread::sleep", "thread::park_timeout", "Condvar::wait_timeout",
      "mpsc::Receiver::recv_timeout", "mpsc::sync_channel-recv_timeout", "JoinHandle::join",
      "thread::scope")
    + [ProbeRow("Condvar::wait_timeout_while", slack: 1, kind: .turning)]
    + rows(
      "TcpStream::set_read_timeout", "UnixStream::set_write_timeout",
      "UdpSocket::set_read_timeout", kind: .socketTimeout)

  private static let swift =
    rows(
      "Thread.sleep(forTimeInterval:)", "NSCondition.wait(until:)",
      "NSConditionLock.lock(whenCondition:before:)", "NSLock.lock(before:)",
      "DispatchSemaphore.wait(timeout:)", "DispatchSemaphore.wait(wallTimeout:)",
      "DispatchGroup.wait(timeout:)", "DispatchWorkItem.wait(timeout:)", "Process.waitUntilExit",
      "usleep")
    + [ProbeRow("Thread.sleep(until:)", slack: 1, kind: .turning)]
    // Foundation counts in floating point, and arms its timers anew for what rounding has left.
    + ["RunLoop.run(until:)", "Timer"].map { ProbeRow($0, slack: 1, kind: .timer) }
    + rows(
      "Task.sleep(nanoseconds:)", "Task.sleep(for:)", "ContinuousClock.sleep(until:)",
      "SuspendingClock.sleep(until:)", "DispatchQueue.asyncAfter(deadline:)",
      "DispatchQueue.asyncAfter(wallDeadline:)", kind: .timer)
    + ["TaskGroup", "DispatchSourceTimer"].map { ProbeRow($0, 2400, kind: .timer) }

  // Go's runtime itself sleeps for microseconds where its threads contend.
  private static let go = [
    "time.Sleep", "time.After", "time.NewTimer", "time.Timer.Reset", "time.NewTicker",
    "time.AfterFunc", "select", "context.WithTimeout", "context.WithDeadline", "sync.WaitGroup",
    "net.Conn.SetReadDeadline", "net.Conn.SetWriteDeadline", "net.TCPListener.SetDeadline",
    "os.File.SetReadDeadline", "http.Client.Timeout", "exec.CommandContext",
  ].map { ProbeRow($0, slack: 0.1) }

  // Threads of the JVM that wait for each other back off with sleeps of 10 µs to 1 ms.
  private static let java = [
    "Thread.sleep", "TimeUnit.sleep", "Thread.join", "Object.wait", "LockSupport.parkNanos",
    "LockSupport.parkUntil", "Condition.awaitNanos", "ReentrantLock.tryLock",
    "ReentrantReadWriteLock.tryLock", "Semaphore.tryAcquire", "CountDownLatch.await",
    "CyclicBarrier.await", "Exchanger.exchange", "BlockingQueue.poll", "BlockingQueue.offer",
    "DelayQueue.take", "Future.get", "ExecutorService.awaitTermination",
    "ScheduledThreadPoolExecutor.schedule", "ScheduledThreadPoolExecutor.scheduleAtFixedRate",
    "Timer", "CompletableFuture.orTimeout", "CompletableFuture.delayedExecutor",
    "Socket.setSoTimeout", "ServerSocket.setSoTimeout", "Selector.select", "HttpClient",
    "Process.waitFor",
  ].map { ProbeRow($0, 2000, slack: 1) }

  // MARK: - Interpreted

  private static let python =
    rows(
      "time.sleep", "threading.Event.wait", "threading.Condition.wait",
      "threading.Condition.wait_for", "threading.Lock.acquire", "threading.RLock.acquire",
      "threading.Semaphore.acquire", "threading.Barrier.wait", "threading.Thread.join",
      "threading.Timer", "queue.Queue.get", "queue.SimpleQueue.get", "queue.Queue.put",
      "sched.scheduler", "concurrent.futures.Future.result", "concurrent.futures.wait",
      "select.select", "select.poll", "select.epoll", "selectors.DefaultSelector",
      "socket.settimeout-recv", "socket.settimeout-accept", "urllib.request.urlopen",
      "multiprocessing.Lock.acquire", "asyncio.sleep", "asyncio.wait_for", "asyncio.wait",
      "asyncio.call_later", "ctypes-usleep")
    // epoll_wait counts milliseconds, and asyncio rounds up to them.
    + [ProbeRow("asyncio.gather", slack: 1), ProbeRow("asyncio.create_subprocess_exec", slack: 1)]
    // A loop of sleeps of 0.5 ms and more, the last of which ends at the deadline.
    + [ProbeRow("subprocess.run", slack: 1)]
    + [
      "subprocess.communicate", "multiprocessing.Connection.poll", "multiprocessing.Process.join",
      "multiprocessing.Queue.get",
    ].map { ProbeRow($0, slack: 1.1, kind: .turning) }
    + [
      ProbeRow("signal.alarm", 3000, kind: .timer), ProbeRow("signal.setitimer", kind: .timer),
      ProbeRow("signal.sigtimedwait", kind: .rare),
    ]

  private static let node =
    rows(
      "Atomics.wait", "Worker-Atomics.wait", "child_process.spawnSync-timeout",
      "child_process.execFileSync")
    // libuv counts milliseconds.
    + [
      "setTimeout", "setInterval", "timers/promises.setTimeout", "timers/promises.setInterval",
      "scheduler.wait", "Timeout.refresh", "AbortSignal.timeout", "Worker-setTimeout",
      "http.request-timeout", "net.Socket.setTimeout", "fetch-AbortSignal.timeout",
      "child_process.execFile-timeout",
    ].map { ProbeRow($0, slack: 2) }

  private static let perl =
    rows(
      "select-undef", "select", "IO::Select", "IO::Poll", "Time::HiRes::sleep",
      "Time::HiRes::usleep", "Time::HiRes::nanosleep", "Time::HiRes::clock_nanosleep", "waitpid",
      "system", "IO::Socket::INET-Timeout") + [ProbeRow("sleep", 3000)]
    + ["alarm", "alarm-die"].map { ProbeRow($0, 3000, kind: .timer) }
    + rows("Time::HiRes::alarm", "Time::HiRes::setitimer", kind: .timer)

  private static let ruby =
    rows("Process.wait")
    + [
      "sleep", "Timeout.timeout", "Timeout.timeout-read", "ConditionVariable#wait", "Mutex#sleep",
      "MonitorMixin::ConditionVariable#wait", "Thread#join", "Thread#value", "IO.select",
      "IO#wait_readable", "Net::HTTP#read_timeout", "Fiber.sleep",
    ].map { ProbeRow($0, slack: 1.1, kind: .turning) }

  private static let bash =
    rows(
      "sleep", "sleep-background", "read-t", "wait-n", "coproc", "pipeline", "trap-exit")
    + [
      ProbeRow("SECONDS", 3000), ProbeRow("timeout", kind: .timer),
      // The time until the signal, and the time until the one that cannot be ignored.
      ProbeRow("timeout-k", 2500, expected: 5000, kind: .timer),
    ]

  private static let php =
    rows(
      "usleep", "time_nanosleep", "stream_select", "stream_set_timeout", "stream_socket_accept",
      "http-timeout", "exec")
    // Counted in floating point, to which today's wall clock is exact to some 200 ns.
    + [ProbeRow("sleep", 3000), ProbeRow("time_sleep_until", slack: 0.001)]
    + [
      ProbeRow("pcntl_alarm", 3000, kind: .timer),
      ProbeRow("pcntl_sigtimedwait", kind: .rare),
    ]
}
