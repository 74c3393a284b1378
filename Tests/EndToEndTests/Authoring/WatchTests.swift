import Glibc
import Testing

/// `scenario run --watch`, to which files change while it waits.
@Suite("Watching")
struct WatchTests {
  /// A runner that watches; what it says is read as it says it.
  private final class Watching {
    let process: pid_t
    private let output: Int32
    private let keyboard: Keyboard?
    private var text = ""
    private var isOver = false

    init(
      _ project: ProjectFolder, _ arguments: [String] = [], at keyboard: Keyboard? = nil
    ) throws {
      self.keyboard = keyboard
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      // Who leads a session takes the terminal that it opens first for its own.
      posix_spawn_file_actions_addopen(&actions, 0, keyboard?.path ?? "/dev/null", O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
      posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
      var attributes = posix_spawnattr_t()
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }
      // Threads of the tests' pool block signals, and what they start inherits that.
      var none = sigset_t()
      sigemptyset(&none)
      posix_spawnattr_setsigmask(&attributes, &none)
      let session = keyboard == nil ? 0 : 0x80  // POSIX_SPAWN_SETSID
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(session))
      let words =
        ["/usr/bin/env", "-C", project.path] + OutsideVariables.removal
        + [BuiltRunner.executable, "run", "--watch", "-j1"] + arguments
      var pointers = words.map { strdup($0) } + [nil]
      defer { pointers.forEach { free($0) } }
      var child = pid_t()
      try #require(
        posix_spawn(&child, "/usr/bin/env", &actions, &attributes, &pointers, environ) == 0)
      close(ends[1])
      process = child
      output = ends[0]
    }

    deinit {
      close(output)
      guard !isOver else { return }
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }

    /// What is said up to some words; fails if they do not come.
    func said(upTo words: String) throws -> String {
      while true {
        if let range = text.firstRange(of: words) {
          let said = String(text[..<range.upperBound])
          text = String(text[range.upperBound...])
          return said
        }
        var wait = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let isThere = poll(&wait, 1, 120_000) == 1
        let count = isThere ? read(output, &buffer, buffer.count) : 0
        try #require(count > 0, "\"\(words)\" did not come: \(text)")
        text += String(decoding: buffer[..<count], as: UTF8.self)
      }
    }

    /// What a round has said, up to its end.
    func round() throws -> String { try said(upTo: "waiting for changes") }

    /// Sends a signal and waits for the end; the exit code.
    func end(by signal: Int32) -> Int32 {
      kill(process, signal)
      return end()
    }

    /// Waits for the end; the exit code.
    func end() -> Int32 {
      var status: Int32 = 0
      waitpid(process, &status, 0)
      isOver = true
      return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
    }
  }

  /// A terminal at which somebody presses keys.
  private final class Keyboard {
    let path: String
    private let master: Int32
    private let slave: Int32

    init() throws {
      master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      var (lock, number): (Int32, Int32) = (0, 0)
      // TIOCSPTLCK and TIOCGPTN of ioctl_tty(2).
      try #require(
        ioctl(master, 0x4004_5431, &lock) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
      path = "/dev/pts/\(number)"
      // Held open, so that its settings outlive the runner.
      slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
      try #require(slave >= 0)
    }

    deinit {
      close(slave)
      close(master)
    }

    func press(_ keys: String) {
      _ = Array(keys.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    }

    /// Whether lines are edited and shown before a program gets them.
    var isUsual: Bool {
      var settings = termios()
      tcgetattr(slave, &settings)
      return settings.c_lflag & tcflag_t(ICANON) != 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }
  }

  private func project() throws -> ProjectFolder {
    let project = try ProjectFolder()
    try project.write("#!/bin/sh\necho hi\n", to: "app", mode: 0o755)
    try project.write("data\n", to: "scenarios/in.txt")
    try project.write(
      "version: 2\nname: program\ntarget: { command: [../app] }\nexpect: { stdout: hi }\n",
      to: "scenarios/a.yaml")
    try project.write(
      """
      version: 2
      name: file
      target: { command: [cat, in], files: { in: { file: in.txt } } }
      expect: { stdout: data }

      """, to: "scenarios/b.yaml")
    return project
  }

  @Test("What depends on a changed file runs, and nothing else; Ctrl-C ends with the last code")
  func changes() throws {
    let project = try project()
    let watching = try Watching(project)
    #expect(try watching.round().contains("2 passed, 0 failed"))

    // The program.
    try project.write("#!/bin/sh\necho ho\n", to: "app")
    let program = try watching.round()
    #expect(program.contains("app changed: 1 of 2 cases") && program.contains("0 passed, 1 failed"))
    #expect(program.contains("exit code 1") && !program.contains("b.yaml"), "\(program)")

    // A file that is laid, put in place by its name as editors do.
    try project.write("date\n", to: "other")
    rename("\(project.path)/other", "\(project.path)/scenarios/in.txt")
    let file = try watching.round()
    #expect(file.contains("in.txt changed: 1 of 2 cases") && file.contains("0 passed, 1 failed"))
    #expect(!file.contains("a.yaml"), "\(file)")

    // What is written without a change is none, so that what follows is told alone.
    try project.write("#!/bin/sh\necho ho\n", to: "app")
    try project.write("data\n", to: "scenarios/in.txt")
    let mended = try watching.round()
    #expect(mended.contains("in.txt changed: 1 of 2") && mended.contains("1 passed, 0 failed"))
    #expect(!mended.contains("app"), "\(mended)")

    // A scenario that is new, in a folder that is.
    try project.write(
      "version: 2\nname: new\ntarget: { command: [\"false\"] }\nexpect: { exit: 0 }\n",
      to: "scenarios/more/c.yaml")
    let new = try watching.round()
    #expect(new.contains("c.yaml changed: 1 of 3 cases") && new.contains("0 passed, 1 failed"))
    #expect(watching.end(by: SIGINT) == 1)
  }

  @Test("What failed last time begins first")
  func failedFirst() throws {
    let project = try project()
    try project.write("wrong\n", to: "scenarios/in.txt")
    try project.write(
      """
      version: 2
      name: program
      target: { command: [../app], files: { in: { file: in.txt } } }
      expect: { stdout: hi }

      """, to: "scenarios/a.yaml")
    let watching = try Watching(project)
    #expect(try watching.round().contains("1 passed, 1 failed"))
    try project.write("data\n", to: "scenarios/in.txt")
    let again = try watching.round()
    #expect(again.contains("2 passed, 0 failed"), "\(again)")
    let first = try #require(again.firstRange(of: "b.yaml ›")).lowerBound
    #expect(try first < #require(again.firstRange(of: "a.yaml ›")).lowerBound, "\(again)")
    // The other way round, when nothing has failed.
    try project.write("wrong\n", to: "scenarios/in.txt")
    let usual = try watching.round()
    let other = try #require(usual.firstRange(of: "b.yaml ›")).lowerBound
    #expect(try other > #require(usual.firstRange(of: "a.yaml ›")).lowerBound, "\(usual)")
    #expect(watching.end(by: SIGTERM) == 1)
  }

  @Test("A mistake in a file is reported, and when it is mended everything runs")
  func mistakes() throws {
    let project = try project()
    let right = try #require(project.read("scenarios/b.yaml"))
    try project.write(right + "nope: [\n", to: "scenarios/b.yaml")
    let watching = try Watching(project)
    let broken = try watching.round()
    #expect(broken.contains("nothing was run") && broken.contains("exit code 2"), "\(broken)")
    try project.write(right, to: "scenarios/b.yaml")
    let mended = try watching.round()
    #expect(mended.contains("running all cases") && mended.contains("2 passed"), "\(mended)")
    #expect(watching.end(by: SIGINT) == 0)
  }

  @Test("A signal during a run ends the run in good order, and then the watch")
  func interrupted() throws {
    let project = try project()
    mkfifo("\(project.path)/started", 0o600)
    try project.write(
      """
      version: 2
      name: long
      target: { command: [sh, -c, "echo started > \(project.path)/started; sleep 1000"] }
      clock: { flow: real }
      timeout: 300s

      """, to: "scenarios/a.yaml")
    let watching = try Watching(project, ["scenarios/a.yaml"])
    // Opening a FIFO waits for whoever writes to it.
    #expect(project.read("started") == "started\n")
    #expect(watching.end(by: SIGINT) == 130)
    #expect(try watching.said(upTo: "1 errored").contains("interrupted"))
  }

  @Test("A script that may be executed at last runs; so does what stands behind links")
  func linksAndModes() throws {
    let project = try project()
    try project.write("#!/bin/sh\necho hi\n", to: "app", mode: 0o644)
    chmod("\(project.path)/app", 0o644)
    try project.write("data\n", to: "elsewhere/v1/in.txt")
    try project.write("date\n", to: "elsewhere/v2/in.txt")
    symlink("v1", "\(project.path)/elsewhere/current")
    unlink("\(project.path)/scenarios/in.txt")
    symlink("../elsewhere/current/in.txt", "\(project.path)/scenarios/in.txt")
    let watching = try Watching(project)
    #expect(try watching.round().contains("1 passed, 0 failed, 1 errored"))

    chmod("\(project.path)/app", 0o755)
    let mode = try watching.round()
    #expect(mode.contains("app changed: 1 of 2") && mode.contains("1 passed, 0 failed"), "\(mode)")

    // The file behind the links.
    try project.write("other\n", to: "elsewhere/v1/in.txt")
    let file = try watching.round()
    #expect(
      file.contains("in.txt changed: 1 of 2") && file.contains("0 passed, 1 failed"), "\(file)")
    try project.write("data\n", to: "elsewhere/v1/in.txt")
    #expect(try watching.round().contains("1 passed, 0 failed"))

    // A link on the way, put in place of the one before.
    symlink("v2", "\(project.path)/elsewhere/next")
    rename("\(project.path)/elsewhere/next", "\(project.path)/elsewhere/current")
    let link = try watching.round()
    #expect(link.contains("1 of 2") && link.contains("0 passed, 1 failed"), "\(link)")
    #expect(watching.end(by: SIGINT) == 1)
  }

  @Test("Keys need no Enter, and the terminal is as it was behind every end")
  func keys() throws {
    let project = try project()
    let keyboard = try Keyboard()
    #expect(keyboard.isUsual)
    let watching = try Watching(project, at: keyboard)
    #expect(try watching.round().contains("2 passed"))
    #expect(!keyboard.isUsual)
    keyboard.press("x\r")
    #expect(try watching.round().contains("2 passed"))
    keyboard.press("q")
    #expect(watching.end() == 0)
    #expect(keyboard.isUsual)

    let interrupted = try Watching(project, at: keyboard)
    _ = try interrupted.round()
    keyboard.press("\u{3}")
    #expect(interrupted.end() == 0)
    #expect(keyboard.isUsual)
    let ended = try Watching(project, at: keyboard)
    _ = try ended.round()
    #expect(ended.end(by: SIGTERM) == 0)
    #expect(keyboard.isUsual)
  }

  @Test("Nobody watches in an automatic build, nor where something else says what runs")
  func refused() throws {
    let project = try project()
    let build = try project.scenario(["run", "--watch"], variables: ["CI=true"])
    #expect(build.exitCode == 2 && build.errorOutput.contains("automatic build"), "\(build.text)")
    for option in ["--last-failed", "--changed", "--shard=1/2", "--test-list=x", "--plan=x"] {
      let outcome = try project.scenario(["run", "-w", option])
      let name = String(option.prefix { $0 != "=" })
      #expect(outcome.exitCode == 2 && outcome.errorOutput.contains("\"\(name)\""), "\(option)")
    }
    let rerun = try project.scenario(["rerun", "--watch"])
    #expect(rerun.exitCode == 2 && rerun.errorOutput.contains("--watch"), "\(rerun.text)")
    let nothing = try project.scenario(["run", "-w", "no-such-folder"])
    #expect(nothing.exitCode == 2 && nothing.errorOutput.contains("no-such-folder"))
    // A variable says it for whoever starts a runner, and not for the runs of that.
    let off = try project.scenario(["run", "--no-watch"], variables: ["SCENARIO_WATCH=1"])
    #expect(off.exitCode == 0 && off.output.contains("2 passed"), "\(off.text)")
  }

  @Test("Nobody outlives a runner that watches and is killed")
  func killed() throws {
    let project = try ProjectFolder()
    try project.write(
      "version: 2\ntarget: { command: 'echo $$ > \(project.path)/pid; exec sleep 1000' }\n",
      to: "scenarios/a.yaml")
    let watching = try Watching(project)
    let target = try ProcessWatch.number(in: "\(project.path)/pid")

    kill(watching.process, SIGKILL)

    #expect(ProcessWatch.isGone(target))
  }
}
