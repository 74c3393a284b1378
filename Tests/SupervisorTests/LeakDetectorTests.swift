import Foundations
import Glibc
import Testing

@testable import Supervisor

@Suite("Programs that look for leaks")
struct LeakDetectorTests {
  private static let source = """
    #include <stdlib.h>
    #include <time.h>
    #include <unistd.h>
    int main(int count, char **arguments) {
      volatile char *lost = malloc(100);
      lost[0] = (char)count;
      lost = NULL;
      struct timespec hour = {3600, 0};
      nanosleep(&hour, NULL);
      if (count > 2) execv(arguments[2], arguments + 2);
      return 0;
    }
    """

  /// Compiles the source with a sanitizer; `nil` if this compiler does not bring it along.
  private static func compiled(_ compiler: String, _ flags: String, in folder: ProgramFolder)
    -> String?
  {
    let text = folder.write(Array(source.utf8), to: "leak.c")
    let program = folder.file("leak")
    let command = "\(compiler) \(flags) -o \(program) \(text) 2>/dev/null"
    return Glibc.system(command) == 0 ? program : nil
  }

  /// What can be built here.
  private static let builds: [(compiler: String, flags: String)] = {
    let all = [
      ("gcc", "-fsanitize=address"), ("gcc", "-fsanitize=leak"),
      ("gcc", "-fsanitize=address -static-libasan -s"), ("clang", "-fsanitize=address"),
      ("clang", "-fsanitize=leak"),
    ]
    return all.filter { build in
      guard let folder = try? ProgramFolder() else { return false }
      return compiled(build.0, build.1, in: folder) != nil
    }
  }()

  @Test(
    "A program that leaks ends as without a sanitizer, and it is told that nobody looked",
    .enabled(if: !builds.isEmpty, "no compiler here brings a sanitizer along"), arguments: builds)
  func switchedOff(compiler: String, flags: String) throws {
    let folder = try ProgramFolder()
    let path = try #require(Self.compiled(compiler, flags, in: folder))
    let program = try SupervisedProgram(clock: .from2030(.auto))
    try program.start([path])
    #expect(program.awaitExit().hasHappened)

    #expect(program.supervisor.exitStatus() == .exited(code: 0), "\(program.errorOutput)")
    #expect(
      program.events.notices.contains { $0.hasPrefix("leak detection is disabled in \"leak\"") }
    )
    #expect(program.view.reading().elapsed == .seconds(3_600))
  }

  @Test(
    "So does one that is started without an environment by another one, and by a script",
    .enabled(if: !builds.isEmpty, "no compiler here brings a sanitizer along"), arguments: builds)
  func child(compiler: String, flags: String) throws {
    let folder = try ProgramFolder()
    let path = try #require(Self.compiled(compiler, flags, in: folder))
    let script = folder.write(Array("#!\(path)\n".utf8), to: "script")
    for words in [
      ["/usr/bin/env", "-i", path, "then", "/usr/bin/env", "-i", "A=1", path], [script],
      ["/bin/sh", "-c", script],
    ] {
      let program = try SupervisedProgram(clock: .from2030(.auto))
      try program.start(words)
      #expect(program.awaitExit().hasHappened)
      #expect(program.supervisor.exitStatus() == .exited(code: 0), "\(program.errorOutput)")
      #expect(program.events.notices.count == 1, "\(program.events.notices)")
    }
  }

  @Test("Without one, nothing is reported and nothing is changed")
  func twin() throws {
    let program = try SupervisedProgram(clock: .from2030(.auto))
    try program.start(["/usr/bin/env", "/usr/bin/env"])
    #expect(program.awaitExit().hasHappened)

    #expect(program.output == "PATH=/usr/bin:/bin\nLC_ALL=C\nTZ=UTC\n")
    #expect(program.events.notices.isEmpty)
  }

  @Test("The author's own options stay, and win")
  func options() {
    func variable(_ detector: LeakDetector, _ environment: [String: String]) -> String? {
      detector.switchingOff(in: { environment[$0] })
    }

    #expect(variable(.leaks, [:]) == "LSAN_OPTIONS=detect_leaks=0")
    #expect(variable(.leaks, ["LSAN_OPTIONS": ""]) == "LSAN_OPTIONS=detect_leaks=0")
    #expect(
      variable(.address, ["LSAN_OPTIONS": "verbosity=1"])
        == "LSAN_OPTIONS=detect_leaks=0:verbosity=1")
    #expect(variable(.leaks, ["LSAN_OPTIONS": "detect_leaks=1"]) == nil)
    #expect(variable(.address, ["ASAN_OPTIONS": "detect_leaks=1"]) == nil)
    // LeakSanitizer alone does not read the other variable.
    #expect(
      variable(.leaks, ["ASAN_OPTIONS": "detect_leaks=1"]) == "LSAN_OPTIONS=detect_leaks=0")
  }

  @Test(
    "A preloaded runtime counts",
    arguments: [
      ("/usr/lib/gcc/x86_64-linux-gnu/12/libasan.so", LeakDetector.address as LeakDetector?),
      ("libfoo.so liblsan.so.0", .leaks), ("a.so:/x/libclang_rt.asan-x86_64.so", .address),
      ("", nil), ("/usr/lib/libasan.so/other.so", nil),
    ])
  func preloads(value: String, expected: LeakDetector?) {
    #expect(LeakDetector(preloaded: value) == expected)
  }

  @Test(
    "Only a regular file is opened: a FIFO's writer waits on, and a script's FIFO is left alone")
  func specialFiles() throws {
    let folder = try ProgramFolder()
    let fifo = folder.file("fifo")
    #expect(mkfifo(fifo, 0o755) == 0)
    let script = folder.write(Array("#!\(fifo)\n".utf8), to: "script")
    let watch = inotify_init1(Int32(O_NONBLOCK))
    defer { close(watch) }
    #expect(inotify_add_watch(watch, fifo, UInt32(IN_OPEN)) >= 0)
    var event = [UInt8](repeating: 0, count: 64)
    var cache = LeakDetectorCache()

    #expect(cache.detector(of: fifo, directory: "/") == nil)
    #expect(cache.detector(of: script, directory: "/") == nil)
    #expect(read(watch, &event, event.count) == -1)

    // What the watch would have seen.
    let descriptor = open(fifo, O_RDONLY | O_NONBLOCK)
    #expect(read(watch, &event, event.count) > 0)
    close(descriptor)
  }

  @Test("A file that lies about itself is no program with a detector, and stops nothing")
  func mutations() throws {
    let folder = try ProgramFolder()
    let original = try #require(ProgramFolder.read("/usr/bin/env")).prefix(8192)
    // Every byte of the headers in turn, as small and as large as it can be.
    for index in 0..<min(original.count, 1024) {
      for value: UInt8 in [0, 0x7f, 0xff] {
        var bytes = Array(original)
        bytes[index] = value
        let path = folder.write(bytes, to: "mutant")
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        #expect(LeakDetector(descriptor: descriptor) == nil)
        close(descriptor)
      }
    }
  }
}
