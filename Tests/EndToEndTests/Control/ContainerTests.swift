import Glibc
import Testing

@Suite("In a container")
struct ContainerTests {
  /// What refuses calls as a container does, and whom it lets run.
  struct Container: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// A profile of seccomp(2) that a container's runtime has by default.
    var profile: String
    var options: [String] = []
    /// Whether the program that runs in it is one file without shared libraries, as in an image that holds nothing else.
    var isStatic = false

    /// The command before the runner's.
    var prefix: [String] {
      ["python3", "\(BuiltRunner.root)/Tests/Containers/confine.py"] + options + [profile]
    }

    func run(_ arguments: [String]) throws -> BuiltRunner.Outcome {
      let program = isStatic ? try BuiltRunner.staticExecutable() : BuiltRunner.executable
      return try BuiltRunner.command(prefix + [program] + arguments)
    }
  }

  /// What Docker's engine, and containerd with RuntimeDefault, refuse.
  static let docker = "\(BuiltRunner.root)/Tests/Containers/docker.json"
  /// What Podman, CRI-O and Buildah refuse (golang-github-containers-common).
  static let podman = "/usr/share/containers/seccomp.json"

  static var containers: [Container] {
    var containers = [
      Container(testDescription: "Docker's", profile: docker),
      Container(testDescription: "Docker's, the static file", profile: docker, isStatic: true),
    ]
    if access(podman, R_OK) == 0 {
      containers.append(
        Container(
          testDescription: "Podman's, without new privileges", profile: podman,
          options: ["--no-new-privileges"]))
    } else {
      print("skipped: \(podman) is missing; install golang-github-containers-common")
    }
    if geteuid() == 0 {
      containers.append(
        Container(
          testDescription: "Docker's, by an ordinary user", profile: docker,
          options: ["--user", "65534"]))
    }
    return containers
  }

  @Test("The gallery passes under a container's default profile", arguments: containers)
  func gallery(container: Container) throws {
    let outcome = try container.run(["run", "scenarios"])

    outcome.expectExit(0)
    #expect(outcome.output.contains(" passed, 0 failed"))
  }

  @Test(
    "Twins that must fail do so under a container's default profile, for the same reason",
    arguments: ["curl-refused.yaml", "set-clock.yaml", "slow-link.yaml", "one-clock.yaml"],
    containers.prefix(2))
  func twins(name: String, container: Container) throws {
    let path = "Tests/EndToEndTests/Failing/\(name)"
    let text = try #require(TemporaryFolder.read("\(BuiltRunner.root)/\(path)"))
    let reason = try #require(text.split(separator: "\n").first).dropFirst("# fails: ".count)

    let outcome = try container.run(["run", path])

    outcome.expectExit(1)
    #expect(outcome.output.contains(reason), "\(outcome.text)")
  }

  @Test("A read from a terminal with a timeout is virtual under a container's default profile")
  func terminalTimeout() throws {
    let outcome = try Self.containers[0].run(["run", "Tests/RealPrograms/terminal-timeout.yaml"])

    outcome.expectExit(0)
  }

  @Test("The doctor finds a container with the default profile good, and says what it goes round")
  func doctor() throws {
    let outcome = try BuiltRunner.run(["doctor"], prefix: Self.containers[0].prefix)

    outcome.expectExit(0)
    #expect(
      outcome.output.contains(
        "pidfd_getfd: Operation not permitted; the process sends them itself"))
    #expect(outcome.output.contains("ok    answer refused calls "))
    #expect(outcome.output.contains("warn  fix its addresses "))
  }

  @Test(
    "Root without CAP_SYS_PTRACE changes nothing about the runner by its files of /proc",
    .enabled(if: geteuid() == 0))
  func runnerFiles() throws {
    let outcome = try run(
      """
      version: 2
      target:
        command: |
          for name in oom_score_adj coredump_filter clear_refs autogroup sched; do
            { echo 0 > /proc/$PPID/$name; } 2> /dev/null || echo closed
          done
          cat /proc/$PPID/cmdline > /dev/null && echo shown
          echo 0 > /proc/$$/oom_score_adj && echo own
      expect: { stdout: "closed\\nclosed\\nclosed\\nclosed\\nclosed\\nshown\\nown\\n" }
      """, in: Self.containers[0])

    outcome.expectExit(0)
    #expect(
      outcome.text.contains("opens \"oom_score_adj\" of the process that runs the scenario"),
      "\(outcome.text)")
  }

  @Test("A clock is set in a container where SIGSYS is handled, and the handler hears nothing")
  func handledSignal() throws {
    let outcome = try run(
      """
      version: 2
      clock: { at: 2030-01-01T00:00:00Z, flow: auto, settable: true }
      target:
        command:
          - python3
          - -c
          - |
            import signal, threading, time
            heard = []
            signal.signal(signal.SIGSYS, lambda number, frame: heard.append(number))
            def set():
                time.clock_settime(time.CLOCK_REALTIME, 1e9)
            thread = threading.Thread(target=set)
            thread.start()
            thread.join()
            try:
                time.clock_settime(time.CLOCK_REALTIME, -1)
            except OSError as error:
                print(error.strerror)
            print(int(time.time()), heard)
            signal.raise_signal(signal.SIGSYS)
            print(heard)
      expect:
        stdout: "Invalid argument\\n1000000000 []\\n[31]\\n"
      """, in: Self.containers[0])

    outcome.expectExit(0)
  }

  @Test("Chaos answers a call that the container refuses; where it does not strike, it is refused")
  func chaos() throws {
    let outcome = try run(
      """
      version: 2
      target: { command: [bash, -c, 'hostname first; hostname second'] }
      chaos:
        - { call: sethostname, when: { times: 1 }, provide: { error: EINVAL } }
      expect:
        exit: 1
        stderr: { lines: ["hostname: name too long", { contains: "must be root" }] }
      """, in: Self.containers[0])

    outcome.expectExit(0)
  }

  @Test("A call that the container refuses is held as long as chaos says, and is refused then")
  func delay() throws {
    let outcome = try run(
      """
      version: 2
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      target: { command: [bash, -c, 'hostname first; hostname second'] }
      chaos:
        - { call: sethostname, when: { times: 1 }, provide: { delay: 5s } }
      expect:
        exit: 1
        duration: 5s
        stderr: { lines: [{ contains: "must be root" }, { contains: "must be root" }] }
      """, in: Self.containers[0])

    outcome.expectExit(0)
    #expect(!outcome.output.contains("warning"), "\(outcome.text)")
  }

  @Test("A call that the container refuses hangs where chaos says so, and a signal ends that")
  func hang() throws {
    let outcome = try run(
      """
      version: 2
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      target:
        command:
          - python3
          - -uc
          - |
            import signal, socket, time
            signal.signal(signal.SIGALRM, lambda number, frame: print("rang", round(time.monotonic() - begin)))
            begin = time.monotonic()
            signal.alarm(7)
            try:
                socket.sethostname("x")
            except OSError as error:
                print(error.strerror, round(time.monotonic() - begin))
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(7)
            socket.sethostname("x")
      chaos:
        - { call: sethostname, provide: hang }
      expect: { signal: SIGALRM, duration: 14s, stdout: "rang 7\\nInterrupted system call 7\\n" }
      """, in: Self.containers[0])

    outcome.expectExit(0)
  }

  @Test(
    "A delay of a refused call is as long as chaos says, whatever signals come before and within it"
  )
  func interruptedDelay() throws {
    let rounds = 300
    let outcome = try run(
      """
      version: 2
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      target: { command: ["\(BuiltRunner.root)/.build/programs/refused_call", "\(rounds)"] }
      chaos:
        - { call: sethostname, provide: { delay: 1s } }
      expect:
        duration: \(rounds)s
        stdout: "refused=\(rounds) handled=\(rounds) elapsed=\(rounds)\\n"
      """, in: Self.containers[0])

    outcome.expectExit(0)
  }

  @Test("Chaos ends a program at a call that the container refuses")
  func exit() throws {
    let outcome = try run(
      """
      version: 2
      target: { command: [hostname, first] }
      chaos:
        - { call: sethostname, provide: { exit: 7 } }
      expect: { exit: 7, stderr: "" }
      """, in: Self.containers[0])

    outcome.expectExit(0)
  }

  @Test("A descriptor is sent out of a call that the container refuses, and chaos names")
  func refusedDescriptor() throws {
    let folder = try TemporaryFolder()
    let profile = try #require(TemporaryFolder.read(Self.docker))
    let stricter = folder.write(
      profile.split(separator: "\"timerfd_settime\", ").joined(), to: "strict.json")

    let outcome = try run(
      """
      version: 2
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      target:
        command:
          - python3
          - -c
          - |
            import ctypes, os, struct, time
            libc = ctypes.CDLL(None, use_errno=True)
            timer = libc.timerfd_create(1, 0)
            length = struct.pack("qqqq", 0, 0, 9, 0)
            print(libc.timerfd_settime(timer, 0, length, None), os.strerror(ctypes.get_errno()))
            print(libc.timerfd_settime(timer, 0, length, None))
            begin = time.monotonic()
            os.read(timer, 8)
            print(round(time.monotonic() - begin))
      chaos:
        - { call: timerfd_settime, when: { times: 1 }, provide: { error: EIO } }
      expect: { duration: 9s, stdout: "-1 Input/output error\\n0\\n9\\n" }
      """, in: Container(testDescription: "", profile: stricter))

    outcome.expectExit(0)
  }

  @Test("Timer descriptors come due in a container, in threads that sleep")
  func timers() throws {
    let outcome = try run(
      """
      version: 2
      clock: { flow: auto }
      target:
        command:
          - python3
          - -c
          - |
            import ctypes, os, select, struct, threading, time
            libc = ctypes.CDLL(None, use_errno=True)
            def tick(seconds):
                timer = libc.timerfd_create(1, 0)
                libc.timerfd_settime(timer, 0, struct.pack("qqqq", seconds, 0, seconds, 0), None)
                poll = select.epoll()
                poll.register(timer, select.EPOLLIN)
                for _ in range(3):
                    poll.poll()
                    os.read(timer, 8)
                os.close(timer)
                print(seconds, round(time.monotonic() - begin))
            begin = time.monotonic()
            threads = [threading.Thread(target=tick, args=(n,)) for n in range(1, 21)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
      expect:
        duration: 1m
        stdout: { contains: "20 60\\n" }
      """, in: Self.containers[0])

    outcome.expectExit(0)
  }

  @Test("Sockets' own timeouts come due in a container")
  func socketTimeouts() throws {
    let outcome = try run(
      """
      version: 2
      clock: { flow: auto }
      target:
        command:
          - python3
          - -c
          - |
            import socket, struct, time
            one, other = socket.socketpair()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("qq", 3600, 0))
            begin = time.monotonic()
            try:
                one.recv(1)
            except BlockingIOError:
                print("late", round(time.monotonic() - begin))
            print(struct.unpack("qq", one.getsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, 16)))
      expect:
        duration: 1h
        stdout: "late 3600\\n(3600, 0)\\n"
      """, in: Self.containers[0])

    outcome.expectExit(0)
  }

  @Test(
    "Who becomes another user stays in the world, in a container whose root may not trace others",
    .enabled(if: geteuid() == 0))
  func otherUser() throws {
    let outcome = try run(
      """
      version: 2
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      target:
        command:
          - setpriv
          - --reuid=65534
          - --regid=65534
          - --clear-groups
          - bash
          - -c
          - |
            id -u
            read -r first rest < /proc/uptime
            sleep 3600
            read -r second rest < /proc/uptime
            date +%T
            hostname x
            echo $((${second%.*} - ${first%.*}))
      chaos:
        - { call: sethostname, provide: { error: EINVAL } }
      expect:
        duration: 1h
        stdout: { lines: ["65534", "01:00:00", "3600"] }
        stderr: { contains: "name too long" }
      """, in: Self.containers[0])

    outcome.expectExit(0)
  }

  @Test(
    "Who becomes another user without running a program stays in the world, with its children",
    .enabled(if: geteuid() == 0))
  func otherUserOfChildren() throws {
    let outcome = try run(
      """
      version: 2
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      target:
        command:
          - python3
          - -c
          - |
            import os, time, threading
            os.setgid(65534)
            os.setuid(65534)
            time.sleep(3600)
            print(time.strftime("%T", time.gmtime()), flush=True)
            child = os.fork()
            if child == 0:
                threads = [threading.Thread(target=time.sleep, args=(60 * n,)) for n in range(1, 5)]
                for thread in threads: thread.start()
                for thread in threads: thread.join()
                print(time.strftime("%T", time.gmtime()), flush=True)
                os._exit(0)
            os.waitpid(child, 0)
            os.execvp("sleep", ["sleep", "60"])
      expect:
        duration: 1h5m
        stdout: { lines: ["01:00:00", "01:04:00"] }
      """, in: Self.containers[0])

    outcome.expectExit(0)
  }

  @Test(
    "The gallery, and a server that leaves root behind, pass in containers that runtimes make",
    .enabled(if: geteuid() == 0), arguments: ["runc", "crun"])
  func runtimes(name: String) throws {
    let prefix = ["python3", "\(BuiltRunner.root)/Tests/Containers/runtime.py", name]
    let trial = try BuiltRunner.run(["--version"], prefix: prefix)
    guard trial.exitCode != 77 else { return print("skipped: \(trial.text)") }

    let outcome = try BuiltRunner.run(
      ["run", "scenarios", "Tests/RealPrograms/postgres.yaml"], prefix: prefix)
    let user = try BuiltRunner.run(
      ["run", "scenarios"], prefix: prefix.dropLast() + ["--user", "65534", name])
    let twin = try BuiltRunner.run(
      ["run", "Tests/EndToEndTests/Failing/one-clock.yaml"], prefix: prefix)

    outcome.expectExit(0)
    #expect(outcome.output.contains(" passed, 0 failed"))
    user.expectExit(0)
    twin.expectExit(1)
  }

  @Test("Where a container refuses what nothing stands in for, the case is undecided, and told why")
  func obstacle() throws {
    let folder = try TemporaryFolder()
    let profile = try #require(TemporaryFolder.read(Self.docker))
    let stricter = folder.write(
      profile.split(separator: "\"process_vm_writev\", ").joined(), to: "strict.json")
    let path = folder.write(
      """
      version: 2
      name: x
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      target: { command: [date, +%Y] }
      expect: { stdout: "2031\\n" }

      """, to: "x.yaml")

    let strict = Container(testDescription: "", profile: stricter)
    let outcome = try BuiltRunner.run(["run", path], prefix: strict.prefix)
    let open = try BuiltRunner.run(["run", path], prefix: Self.containers[0].prefix)

    outcome.expectExit(3)
    #expect(
      outcome.output.contains(
        "this machine does not let the runner write as the process: process_vm_writev: "))
    #expect(outcome.output.contains("--security-opt seccomp=unconfined"))
    open.expectExit(1)
  }

  @Test(
    "A call that nothing stands in for is named, by a run and by the doctor, and nothing is decided",
    arguments: [
      "epoll_create1", "eventfd2", "timerfd_create", "clone3", "futex", "wait4", "fcntl", "write",
      "accept4", "recvfrom", "getsockname",
    ])
  func refusedCall(name: String) throws {
    let folder = try TemporaryFolder()
    let profile = try #require(TemporaryFolder.read(Self.docker))
    // A rule of its own, as the engine answers clone3 with ENOSYS, on which the C library goes round it.
    let refusal = """
      "syscalls": [ { "names": ["\(name)"], "action": "SCMP_ACT_ERRNO", "errnoRet": 1 },
      """
    let stricter = folder.write(
      profile.replacing("\"syscalls\": [", with: refusal, maxReplacements: 1), to: "strict.json")
    let path = folder.write(
      """
      version: 2
      name: x
      target: { command: [curl, -s, 'http://a.test/'] }
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      responses: [ { GET http://a.test/: { text: hi } } ]
      expect: { stdout: hello }

      """, to: "x.yaml")
    let message = "the call \(name) is refused here: Operation not permitted"

    let strict = Container(testDescription: "", profile: stricter)
    let outcome = try BuiltRunner.run(["run", path], prefix: strict.prefix)
    let doctor = try BuiltRunner.run(["doctor"], prefix: strict.prefix)
    let open = try BuiltRunner.run(["run", path], prefix: Self.containers[0].prefix)

    outcome.expectExit(3)
    #expect(outcome.text.contains(message), "\(outcome.text)")
    #expect(outcome.text.contains("seccomp profile must allow \(name)"), "\(outcome.text)")
    #expect(doctor.exitCode == 3 && doctor.text.contains(message), "\(doctor.text)")
    open.expectExit(1)
  }

  @Test("Under user emulation a run says that there is no ptrace, and ends with 3")
  func emulation() throws {
    let emulator = "/usr/bin/qemu-x86_64-static"
    guard access(emulator, X_OK) == 0 else {
      return print("skipped: \(emulator) is missing; install qemu-user-static")
    }
    let folder = try TemporaryFolder()
    let path = folder.write("version: 2\ntarget: { command: [date] }\n", to: "x.yaml")

    let outcome = try BuiltRunner.run(["run", path], prefix: [emulator])
    let doctor = try BuiltRunner.run(["doctor"], prefix: [emulator])

    outcome.expectExit(3)
    #expect(outcome.output.contains("scenarios cannot run under user emulation (QEMU)"))
    #expect(outcome.output.contains("help: this program runs under user emulation (QEMU)"))
    doctor.expectExit(3)
    #expect(!doctor.output.contains("--cap-add"))
  }

  private func run(_ text: String, in container: Container) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write(text + "\n", to: "x.yaml")
    return try BuiltRunner.run(["run", path], prefix: container.prefix)
  }
}
