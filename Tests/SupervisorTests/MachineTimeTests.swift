import Foundations
import Glibc
import ScenarioPlan
import Testing

@testable import Supervisor

/// Where programs could find the machine's own time beside the clocks.
@Suite("The machine's own time")
struct MachineTimeTests {
  private func run(
    _ ways: [String], name: String = "machine_time", clock: PlannedClock? = .from2030(.auto),
    entropy: EntropySource = .real
  ) throws -> (lines: [String], control: ControlReport) {
    let program = try SupervisedProgram(clock: clock, entropy: entropy)
    try program.start([try CompiledProgram.path(name)] + ways)
    #expect(program.awaitExit().hasHappened)
    #expect(program.errorOutput == "")
    let escapes = program.events.contains { if case .outOfReach = $0 { true } else { false } }
    #expect(!escapes)
    let lines = program.output.split(separator: "\n").map(String.init)
    return (lines, program.supervisor.snapshot().control)
  }

  // MARK: - Packets

  @Test(
    "Packets arrive in the scenario's time, however a program asks, and with a socket that it was given"
  )
  func packets() throws {
    let lines = try run(["packets"]).lines

    #expect(
      lines == [
        "timestamp timeval 0.0", "timestamp-new timeval 0.0", "timestampns timespec 0.0",
        "timestampns-new timespec 0.0", "timestamping several 0.0", "timestamping device 0",
        "timestamping-new several 0.0", "timestamping-new device 0", "asked 1",
        "late timeval 10.0", "late other 2", "many timeval 20.0", "many other 2",
        "many-timed timeval 40.0", "many-timed other 2", "many-timed timeval 40.0",
        "many-timed other 2", "inherited timeval 40.0", "inherited other 2",
      ])
  }

  @Test("Without a clock of its own a program is told the machine's time of packets")
  func packetsOfMachine() throws {
    let lines = try run(["requests"], clock: nil).lines

    #expect(lines.count == 5)
    #expect(!lines.contains { $0.hasSuffix(" 0.0") })
  }

  @Test("Each datagram of a receipt that its timeout did not end has the receipt's time")
  func unfinishedReceipt() throws {
    #expect(
      try run(["unfinished"]).lines
        == [String](repeating: "unfinished timespec 30.0", count: 3))
  }

  @Test("The time of the last packet is the scenario's, and errors stay the kernel's")
  func requests() throws {
    #expect(
      try run(["requests"]).lines == [
        "request none \(ENOENT) 0", "request timeval 0.0", "request timespec 0.0",
        "request timespec 0.0", "request fault \(EFAULT)",
      ])
  }

  @Test("Control messages are changed where they tell a time, and nowhere else")
  func controlMessages() {
    func message(_ level: Int32, _ type: UInt32, _ words: [UInt64]) -> [UInt8] {
      let kind = UInt64(UInt32(bitPattern: level)) | UInt64(type) << 32
      return ([16 + UInt64(words.count * 8), kind] + words).flatMap { word in
        (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
      }
    }
    let time = TimeValue(seconds: 7, fraction: 8_000)
    var bytes =
      message(SOL_SOCKET, 29, [1, 2]) + message(0, 29, [1, 2]) + message(SOL_SOCKET, 35, [1, 2])
      + message(SOL_SOCKET, 37, [1, 2, 0, 0, 5, 6]) + message(SOL_SOCKET, 1, [3])
    let untimed = message(0, 2, [64])
    var other = untimed
    var cut = Array(message(SOL_SOCKET, 29, [1, 2]).prefix(20))

    #expect(PacketTimes.replace(in: &bytes, by: time))
    #expect(
      bytes
        == message(SOL_SOCKET, 29, [7, 8]) + message(0, 29, [1, 2])
        + message(SOL_SOCKET, 35, [7, 8_000])
        + message(SOL_SOCKET, 37, [7, 8_000, 0, 0, 7, 8_000]) + message(SOL_SOCKET, 1, [3]))
    #expect(!PacketTimes.replace(in: &other, by: time))
    #expect(other == untimed)
    #expect(!PacketTimes.replace(in: &cut, by: time))
  }

  // MARK: - Connections

  @Test("What TCP tells of a connection is counted in the scenario's time, and steady")
  func connection() throws {
    let lines = try run(["connection"]).lines
    let steady = "rto=200000 rtt=100 variation=50"

    #expect(lines.count == 4)
    #expect(
      lines.first?.contains("length=whole state=1 sent=0 received=0 answered=0 \(steady)") ?? false)
    #expect(lines.dropFirst().first?.contains("sent=7000 received=7000 answered=7000 ") ?? false)
    #expect(lines.dropFirst(2).first?.contains("sent=7000 received=0 answered=0 ") ?? false)
    #expect(lines.last?.contains("length=short state=1 sent=9000 received=2000 ") ?? false)
    #expect(lines.prefix(3).allSatisfy { $0.contains(" least=100 busy=0 limited=0,0 bytes=5") })
    #expect(try run(["connection"]).lines == lines)
  }

  @Test("Where time flows as the machine's does, TCP tells what the kernel has measured")
  func flowingConnection() throws {
    let lines = try run(["connected"], clock: .from2030(.real)).lines

    #expect(lines.count == 1)
    // The kernel adds what it has measured to the least time until something is sent again.
    #expect(!lines.contains { $0.contains(" rto=200000 rtt=100 variation=50 ") })
  }

  // MARK: - Images

  @Test(
    "Where time stands between deadlines, the kernel's own vDSO is nowhere, and handlers return",
    arguments: ["machine_time", "machine_time-static"])
  func images(name: String) throws {
    // proc_pid_smaps(5): "sl" stands for what mseal(2) has sealed, which nobody can unmap.
    let parts = (SmallFile.read("/proc/self/smaps") ?? "").split(separator: "[vdso]")
    let flags = parts.last?.split(separator: "\n").first { $0.hasPrefix("VmFlags:") } ?? ""
    guard parts.count < 2 || !flags.split(separator: " ").contains("sl") else {
      return print("skipped: this kernel seals its vDSO")
    }
    #expect(
      try run(["images", "signals"], name: name).lines == [
        "images named=0", "images same=1", "images time=0", "signal 3", "signal returned",
      ])
  }

  @Test("Where time flows, the clock is read by the kernel's own vDSO, which stays")
  func flowingImages() throws {
    let lines = try run(["images"], clock: .from2030(.real)).lines

    #expect(lines.first.map { $0 > "images named=0" } ?? false)
  }

  @Test("What the kernel maps for its vDSO is known by the memory map")
  func room() {
    let map = """
      1000-2000 r--p 00000000 00:00 0                          [vvar]
      7000-b000 r--p 00000000 00:00 0                          [vvar]
      b000-d000 r--p 00000000 00:00 0                          [vvar_vclock]
      d000-f000 r-xp 00000000 00:00 0                          [vdso]
      """

    let room = KernelVDSO.Room(around: 0xd000, in: map)
    #expect(room?.before == 0x6000)
    #expect(room?.behind == 0x2000)
    #expect(KernelVDSO.Room(around: 0xb000, in: map) == nil)
    #expect(KernelVDSO.Room(around: 0xd000, in: "") == nil)
  }

  // MARK: - The counter

  @Test("The time stamp counter shows the scenario's time", arguments: [true, false])
  func counter(isSeeded: Bool) throws {
    let result = try run(
      ["count", "calibrate"], clock: .from2030(.auto), entropy: isSeeded ? .seeded(1) : .real)

    #expect(result.lines == ["count flag=1 reads=1", "calibrate 1.00 1.00 1.00 1.00"])
    #expect(result.control.counterReaders == [])
  }

  @Test("A program that reads the counter over and over gets the processor's own, and is named")
  func counterReadOften() throws {
    let often = try run(["often"])
    let seeded = try run(["often"], entropy: .seeded(1))
    let free = try run(["often"], clock: nil)

    #expect(often.lines == ["often backwards=0 alike=0"])
    #expect(often.control.counterReaders == ["machine_time"])
    #expect(seeded.lines == ["often backwards=0 alike=0"])
    #expect(seeded.control.counterReaders == [])
    #expect(free.control.counterReaders == [])
  }

  @Test("Each program is named once, also one that another one starts")
  func counterOfChildren() throws {
    let path = try CompiledProgram.path("machine_time")
    let program = try SupervisedProgram(clock: .from2030(.auto))
    try program.start(["/bin/sh", "-c", "\(path) often often; \(path) often; \(path) images"])

    #expect(program.awaitExit().hasHappened)
    #expect(program.supervisor.snapshot().control.counterReaders == ["machine_time"])
  }

  @Test("A program with a handler of its own keeps it, and may forbid itself the counter")
  func forbiddenCounter() throws {
    let result = try run(["counter"])

    #expect(
      result.lines == [
        "counter flag=enabled", "counter reads=1", "counter thread=1", "counter flag=forbidden",
        "counter fault", "counter again=1",
      ])
    #expect(result.control.counterReaders == [])
  }

  @Test(
    "Threads that a program makes, and processes that those make, read the scenario's time",
    arguments: [("threads", "threads virtual=1"), ("children", "children exit=7")])
  func counterOfThreads(way: String, line: String) throws {
    #expect(try run([way]).lines == [line])
  }

  @Test("Threads of a process read one counter, also once one has read it over and over")
  func counterOfHandedOverProcess() throws {
    let result = try run(["handed"])

    #expect(result.lines == ["handed over order=1"])
    #expect(result.control.counterReaders == ["machine_time"])
  }

  @Test("Processes have one counter, as a machine has")
  func counterOfProcesses() throws {
    // Each process reads it after the one before.
    let lines = try run(["order"]).lines

    #expect(lines == ["order kept=1"])
  }

  @Test("An ignored fault stays ignored over an execve, whose loader reads the counter")
  func ignoredFault() throws {
    let program = try SupervisedProgram(clock: .from2030(.auto))
    try program.start([
      "/bin/sh", "-c", "trap '' SEGV; exec \(try CompiledProgram.path("machine_time")) ignored",
    ])

    #expect(program.awaitExit().hasHappened)
    #expect(program.output == "ignored survives\n")
  }

  @Test(
    "A thread that blocks all signals reads the scenario's time, and its process's handler stays")
  func counterOfBlockingThread() throws {
    let result = try run(["blocked"])

    #expect(result.lines == ["blocked thread=1", "blocked handler"])
  }

  @Test("Where the counter is seeded, a handler stays as well")
  func seededCounterOfBlockingThread() throws {
    let result = try run(["blocked"], entropy: .seeded(1))

    #expect(result.lines == ["blocked thread=1", "blocked handler"])
  }

  // MARK: - Logins

  @Test("The records of logins tell the scenario's time of the machine's start")
  func logins() {
    var record = [UInt8](repeating: 0, count: 384)
    record.replaceSubrange(340..<344, with: [100, 0, 0, 0])
    let empty = [UInt8](repeating: 0, count: 384)

    let moved = ProcessTimes.logins(record + empty + [1, 2, 3], later: 1_000)
    #expect(Array(moved[340..<344]) == [0x4c, 4, 0, 0])
    #expect(moved.count == 771)
    #expect(Array(moved.dropFirst(384)) == empty + [1, 2, 3])
    #expect(ProcessTimes.start("cpu 1\nbtime 77\n") == 77)
  }
}
