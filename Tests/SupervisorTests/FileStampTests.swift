import Foundations
import Glibc
import ScenarioModel
import ScenarioPlan
import Testing

@testable import Supervisor

/// A fresh folder, removed at the end.
private final class ScratchFolder {
  let path: String

  init(in parent: String = "/tmp") throws {
    var template = Array("\(parent)/stamps-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    guard let program = try? SupervisedProgram() else { return }
    try? program.start(["/bin/rm", "-rf", path])
    _ = program.awaitExit()
  }
}

@Suite("Times of files")
struct FileStampTests {
  private static let wall: Int64 = 1_893_456_000

  private static func clock(
    _ flow: ClockFlow = .auto, at seconds: Int64 = wall, nanoseconds: Int64 = 0,
    files: FileTimes = .virtual
  ) -> PlannedClock {
    PlannedClock(
      at: WallInstant(seconds: seconds, nanoseconds: nanoseconds), flow: flow, files: files)
  }

  /// Runs a shell's script in a fresh folder, and returns what it writes.
  private func run(
    _ script: String, clock: PlannedClock? = clock(), in parent: String = "/tmp",
    shell: [String] = ["/bin/sh"], chaos: [PlannedChaos] = []
  ) throws -> String {
    let folder = try ScratchFolder(in: parent)
    let program = try SupervisedProgram(clock: clock, chaos: chaos)
    try program.start(shell + ["-c", "cd \(folder.path) || exit\nexec 2>&1\n\(script)"])
    #expect(program.awaitExit().hasHappened)
    for event in program.events {
      if case .fileNotStamped(_, let path, let error) = event {
        Issue.record("\(path ?? "a file") keeps its times: \(error)")
      }
    }
    return program.output
  }

  // MARK: - Each call

  private func times(clock: PlannedClock?, in parent: String) throws -> [String] {
    let folder = try ScratchFolder(in: parent)
    let program = try SupervisedProgram(clock: clock)
    try program.start([
      try CompiledProgram.path("filetimes"), folder.path, String(Self.wall),
    ])
    #expect(program.awaitExit().hasHappened)
    return program.output.split(separator: "\n").map(String.init)
  }

  /// What a line of the kernel's becomes under the scenario's time; links that are only followed have
  /// been read, and reading stays real.
  private func stamped(_ line: String) -> String {
    line.split(separator: " ", omittingEmptySubsequences: false).map { word in
      if word == "link=rk" || word == "dangling=rk" { return String(word) }
      guard let equals = word.firstIndex(of: "=") else { return String(word) }
      return String(word[...equals])
        + String(word[equals...].dropFirst().map { $0 == "r" ? "v" : $0 })
    }.joined(separator: " ")
  }

  @Test(
    "Every call sets just those times that the kernel sets, to the scenario's time",
    arguments: ["/tmp", "/dev/shm"], [ClockFlow.held, .auto])
  func calls(parent: String, flow: ClockFlow) throws {
    let real = try times(clock: nil, in: parent)
    let virtual = try times(clock: Self.clock(flow), in: parent)

    #expect(real.count > 70)
    #expect(real.contains { $0.contains("=kr") } && real.contains { $0.contains("=rr") })
    #expect(!real.contains { $0.contains("=v") || $0.contains("v ") })
    #expect(virtual == real.map(stamped))
  }

  @Test("Without being asked for, files keep the machine's time", arguments: ["/tmp", "/dev/shm"])
  func defaultIsReal(parent: String) throws {
    let real = try times(clock: nil, in: parent)

    #expect(try times(clock: Self.clock(files: .real), in: parent) == real)
  }

  // MARK: - Programs

  @Test(
    "Programs see the scenario's time on what they change",
    arguments: [
      ("echo x > a; stat -c '%n %Y %X' a .", "a V V\n. V "),
      ("touch -d @5 a; echo x >> a; stat -c '%Y %X' a", "V 5\n"),
      ("echo x > a; touch -d @5 a; : > a; stat -c '%Y %X' a", "V 5\n"),
      ("touch a; stat -c '%Y %X' a", "V V\n"),
      ("touch -d @5 a; touch -m a; stat -c '%Y %X' a", "V 5\n"),
      ("touch -d @5 a; touch -a a; stat -c '%Y %X' a", "5 V\n"),
      ("touch -d @5 a; stat -c '%Y %X' a", "5 5\n"),
      ("touch -d @-5 a; touch -r a b; stat -c '%Y' b", "-5\n"),
      ("ln -s a b; stat -c '%Y' b; touch -h -d @5 b; touch -h -m b; stat -c '%Y' b", "V\nV\n"),
      ("touch -d @5 a; cp a b; cp -p a c; stat -c '%n %Y' a b c", "a 5\nb V\nc 5\n"),
      (
        "mkdir d e; touch -d @5 d/a d e; mv d/a e/b; stat -c '%n %Y' d e e/b",
        "d V\ne V\ne/b 5\n"
      ),
      ("mkdir -p d/e; touch -d @5 d; rmdir d/e; stat -c '%Y' d", "V\n"),
      ("mkdir -p d/e/f; stat -c '%Y' d d/e d/e/f", "V\nV\nV\n"),
      ("mkfifo a; stat -c '%Y %X' a", "V V\n"),
      ("truncate -s 10 a; touch -d @5 a; truncate -s 20 a; stat -c '%Y' a", "V\n"),
      ("dd if=/dev/zero of=a bs=1 count=3 status=none; stat -c '%Y' a", "V\n"),
      ("seq 100 | sort -r > a; sed -i s/1/2/ a; stat -c '%Y' a", "V\n"),
      (
        "mkdir d; touch -d @5 d/a; tar cf t d; rm -r d; tar xf t; stat -c '%n %Y' d/a t",
        "d/a 5\nt V\n"
      ),
      ("touch -d @5 a; gzip -k a; stat -c '%Y' a.gz; gzip -c a > b; stat -c '%Y' b", "5\nV\n"),
      ("touch -d @1893455999 a; touch b; find . -newer a -type f", "./b\n"),
      (
        "sqlite3 a.db 'create table t(x); insert into t values (1)'; stat -c '%Y' a.db", "V\n"
      ),
    ])
  func programs(script: String, expected: String) throws {
    let output = try run(script)

    let wanted = expected.replacing("V", with: String(Self.wall))
    if expected.hasSuffix(" ") {
      #expect(output.hasPrefix(wanted))
    } else {
      #expect(output == wanted)
    }
  }

  @Test("A static program's files have the scenario's time as well")
  func staticProgram() throws {
    let path = "/usr/bin/busybox"
    try #require(access(path, X_OK) == 0, "busybox is missing")
    let script = """
      \(path) touch a; \(path) mkdir d; echo x > d/b; \(path) touch -d '2001-01-01' c
      \(path) stat -c '%n %Y' a d d/b c
      """

    let output = try run(script, shell: [path, "sh"])

    #expect(
      output == "a \(Self.wall)\nd \(Self.wall)\nd/b \(Self.wall)\nc 978307200\n")
  }

  @Test(
    "Python finds a written file's time between two readings of the clock",
    arguments: [
      ClockFlow.held, .auto, .real,
    ])
  func python(flow: ClockFlow) throws {
    let script = """
      python3 -c '
      import os, time
      before = time.time_ns()
      with open("a", "w") as f: f.write("x")
      after = time.time_ns()
      s = os.stat("a")
      print(before <= s.st_mtime_ns <= after, s.st_mtime_ns // 10**9 - 1893456000 < 60)
      '
      """

    #expect(try run(script, clock: Self.clock(flow)) == "True True\n")
    #expect(try run(script, clock: Self.clock(flow, files: .real)) == "False True\n")
  }

  @Test("make builds again exactly what is out of date by the scenario's time")
  func make() throws {
    let script = """
      printf 'b: a\\n\\t@cp a b; echo built\\nc: b\\n\\t@cp b c; echo linked\\n' > Makefile
      echo 1 > a; make -s c; make -s c; sleep 3600; make -s c
      sleep 3600; echo 2 > a; sleep 3600; make -s c; make -s c
      stat -c '%n %Y' a b c
      """

    let output = try run(script)

    #expect(
      output
        == """
        built
        linked
        make: 'c' is up to date.
        make: 'c' is up to date.
        built
        linked
        make: 'c' is up to date.
        a \(Self.wall + 7200)
        b \(Self.wall + 10800)
        c \(Self.wall + 10800)

        """.replacing("make: 'c' is up to date.\n", with: ""))
  }

  @Test("Old logs go by the days that have passed in the scenario")
  func logRotation() throws {
    let script = """
      day=0
      while [ $day -lt 10 ]; do
        echo "day $day" > app.log.$day
        sleep 86400
        day=$((day + 1))
      done
      sleep 1
      find . -name 'app.log.*' -mtime +6 -delete
      ls
      """

    // `-mtime +6`: more than six whole days; the youngest is one day old.
    let kept = (4...9).map { "app.log.\($0)\n" }.joined()
    let virtual = try run(script)
    #expect(virtual == kept)
    let real = try run(script, clock: Self.clock(files: .real))
    #expect(real != kept)
  }

  @Test(
    "Any year that the filesystem can hold is held",
    arguments: [
      ("/tmp", 473_385_600), ("/tmp", -1_000_000_000), ("/tmp", 4_102_444_800),
      ("/dev/shm", -1), ("/dev/shm", 253_402_300_799),
    ])
  func years(parent: String, seconds: Int64) throws {
    let clock = Self.clock(at: seconds, nanoseconds: 123_456_789)

    let output = try run(
      "echo x > a; python3 -c 'import os; s = os.stat(\"a\"); print(s.st_mtime_ns - int(s.st_mtime_ns // 10**9) * 10**9, s.st_mtime_ns // 10**9)'",
      clock: clock, in: parent)

    #expect(output == "123456789 \(seconds)\n")
  }

  // MARK: - Hardships

  @Test("A call that is made to fail leaves no time")
  func chaos() throws {
    let chaos = PlannedChaos(
      name: "no mkdir", target: .calls([PlannedCall(name: "mkdir"), PlannedCall(name: "mkdirat")]),
      provider: .error(ErrorNumber(name: "ENOSPC", code: ENOSPC)),
      range: SourceRange(file: "a.yaml", line: 1, column: 1))
    let script = "touch -d @5 .; mkdir d; stat -c '%Y' ."

    #expect(try run(script, chaos: [chaos]).hasSuffix("No space left on device\n5\n"))
    #expect(try run(script) == "\(Self.wall)\n")
  }

  @Test("A pipe, a socket and a device are written to as ever")
  func otherKinds() throws {
    let script = """
      seq 20000 | cat | tail -n 1; echo x > /dev/null
      python3 -c 'import socket; a, b = socket.socketpair(); a.sendall(b"y"); print(b.recv(1))'
      mkfifo p; (sleep 1; cat p) & echo z > p; wait
      """

    #expect(try run(script) == "20000\nb'y'\nz\n")
  }

  @Test("Threads and processes that write at once all leave the scenario's time")
  func many() throws {
    let script = """
      python3 -c '
      import os, threading
      def work(n):
          for i in range(20):
              with open(f"f{n}-{i}", "w") as f:
                  f.write("x"); f.flush(); f.write("y")
              os.rename(f"f{n}-{i}", f"g{n}-{i}")
      for p in range(3):
          if os.fork() == 0:
              ts = [threading.Thread(target=work, args=(f"{p}.{t}",)) for t in range(20)]
              [t.start() for t in ts]; [t.join() for t in ts]
              os._exit(0)
      for p in range(3): os.wait()
      names = os.listdir(".")
      print(len(names), {int(os.stat(n).st_mtime) for n in names + ["."]})
      '
      """

    #expect(try run(script) == "1200 {\(Self.wall)}\n")
  }

  @Test("A program that is killed while it makes and empties files leaves the scenario's time")
  func killedOpening() throws {
    let script = """
      i=0
      while [ $i -lt 40 ]; do
        mkdir d$i
        (k=0; while :; do : > big; k=$((k + 1)); : > d$i/$k; done) & pid=$!
        while [ ! -e d$i/$((i % 7 + 1)) ]; do :; done
        kill -9 $pid; wait $pid 2> /dev/null
        stat -c '%Y' big d$i d$i/* >> done
        i=$((i + 1))
      done
      sort -u done
      """

    #expect(try run(script) == "\(Self.wall)\n")
  }

  @Test("A writer that is killed in its call leaves the scenario's time")
  func killed() throws {
    let script = """
      : > done
      for i in 1 2 3 4 5 6 7 8; do
        head -c 300000000 /dev/zero > big & pid=$!
        while [ ! -s big ] && kill -0 $pid; do :; done
        kill -9 $pid; wait $pid 2> /dev/null
        stat -c '%Y' big >> done
      done
      sort -u done
      """

    #expect(try run(script) == "\(Self.wall)\n")
  }

  @Test("A file that may not be given the time is told of, once")
  func forbidden() throws {
    let folder = try ScratchFolder()
    // Root may set any time, but for a file that may only grow; others only those of their own files.
    let prepare = "touch \(folder.path)/a && chattr +a \(folder.path)/a"
    let write = geteuid() == 0 ? "echo x >> \(folder.path)/a" : "rm $(mktemp /tmp/stamps-XXXXXX)"
    let program = try SupervisedProgram(clock: Self.clock())
    try program.start([
      "/bin/sh", "-c", "\(prepare) 2> /dev/null; \(write); \(write); chattr -a \(folder.path)/a",
    ])
    #expect(program.awaitExit().hasHappened)

    let told = program.events.compactMap { event in
      if case .fileNotStamped(_, let path, let error) = event { return (path, error) }
      return nil
    }
    #expect(told.count == 1)
    #expect(told.first?.0 == (geteuid() == 0 ? "\(folder.path)/a" : "/tmp"))
    #expect(told.first?.1 == EPERM)
  }
}
