internal import Glibc
internal import ScenarioModel

/// What /proc/stat, /proc/PID/stat and the records of logins tell of the machine's own time, as the scenario has it
/// (proc(5), utmp(5)).
///
/// The target gets a copy as of the moment at which it opens the file.
enum ProcessTimes {
  /// A file that tells a time.
  enum File: Equatable {
    /// /proc/stat, whose line `btime` tells when the machine has started.
    case machine
    /// /proc/PID/stat, or a thread's, whose 22nd field tells when the process has started; `nil` for the
    /// opener's own.
    case process(Int32?, thread: Int32?)
    /// /run/utmp: when the machine has started, and who has logged in.
    case logins

    /// Reads an absolute path; `nil` if it is another file's.
    init?(_ path: String) {
      if path == "/var/run/utmp" || path == "/run/utmp" {
        self = .logins
        return
      }
      let parts = path.split(separator: "/", omittingEmptySubsequences: true)
      guard parts.first == "proc", parts.last == "stat" else { return nil }
      func number(_ text: Substring) -> Int32?? {
        if text == "self" { return .some(nil) }
        return Int32(text).map { .some($0) }
      }
      switch parts.count {
      case 2: self = .machine
      case 3:
        if parts[1] == "thread-self" {
          self = .process(nil, thread: nil)
        } else if let process = number(parts[1]) {
          self = .process(process, thread: nil)
        } else {
          return nil
        }
      case 5 where parts[2] == "task":
        guard let process = number(parts[1]), let thread = Int32(parts[3]) else { return nil }
        self = .process(process, thread: thread)
      default: return nil
      }
    }
  }

  /// A length of time in the kernel's ticks, of which sysconf(_SC_CLK_TCK) pass in a second.
  static func ticks(_ length: Nanoseconds) -> Int64 { max(0, length.count / 10_000_000) }

  /// The text of /proc/stat, with another moment of the machine's start.
  ///
  /// - Parameter start: seconds since 1970.
  static func machine(_ text: String, start: Int64) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.hasPrefix("btime ") ? "btime \(start)" : String($0)
    }.joined(separator: "\n")
  }

  /// The records of logins, with other times.
  ///
  /// - Parameter displacement: by how many seconds they are later.
  static func logins(_ records: [UInt8], later displacement: Int64) -> [UInt8] {
    // `struct utmp` of x86-64: the seconds are a C int.
    let length = 384
    let place = 340
    var moved = records
    moved.withUnsafeMutableBytes { bytes in
      for start in stride(from: 0, through: bytes.count - length, by: length) {
        let time = bytes.loadUnaligned(fromByteOffset: start + place, as: Int32.self)
        guard time != 0 else { continue }
        bytes.storeBytes(
          of: Int32(clamping: Int64(time) + displacement), toByteOffset: start + place,
          as: Int32.self)
      }
    }
    return moved
  }

  /// When the machine has started, by the text of /proc/stat; `nil` if it does not say so.
  static func start(_ text: String) -> Int64? {
    text.split(separator: "\n").first { $0.hasPrefix("btime ") }.flatMap { Int64($0.dropFirst(6)) }
  }

  /// The text of /proc/PID/stat, with another start of the process.
  ///
  /// - Parameter start: makes of the ticks that stand there others.
  static func process(_ text: String, start: (Int64) -> Int64) -> String {
    // The name stands in parentheses, and may hold any itself; behind it stands the third field.
    guard let end = text.lastIndex(of: ")") else { return text }
    var fields = text[end...].split(separator: " ", omittingEmptySubsequences: false)
    let place = 20
    guard fields.count > place, let ticks = Int64(fields[place]) else { return text }
    fields[place] = "\(start(ticks))"
    return String(text[..<end]) + fields.joined(separator: " ")
  }
}

extension SupervisorLoop {
  /// Gives the target a copy with the scenario's times where it opens one of these files for reading; false if
  /// it opens something else.
  func openProcessTimes(for tracee: Tracee, _ registers: Registers) -> Bool {
    guard configuration.clock != nil, let memory = tracee.process.memory,
      let opening = PlainOpening(registers, memory),
      memory.read(UInt64.self, at: opening.pathAddress).map(Self.mayTellTimes) ?? false,
      let path = memory.readText(at: opening.pathAddress, limit: 256),
      let file = ProcessTimes.File(path), RunnerGuard.ofThisProcess().sharesNamespace(with: tracee.identifier)
    else { return false }
    let number = tracee.process.identifier.number
    // What does not exist is for the kernel to say.
    guard content(of: file, for: number, tracee.identifier.number) != nil else { return false }
    var changed = registers
    changed.systemCall = SystemCallNumber.memfdCreate
    changed[argument: 0] = opening.pathAddress
    // MFD_CLOEXEC is 1.
    changed[argument: 1] = uptimeFiles.creationFlags | (opening.closesAtExec ? 1 : 0)
    let thread = tracee.identifier
    complete(tracee, original: registers, with: changed) { loop, registers in
      guard registers.result >= 0,
        let copy = UptimeFiles.open(descriptor: registers.result, of: thread, named: path)
      else { return }
      defer { close(copy) }
      let content = loop.content(of: file, for: number, thread.number) ?? []
      content.withUnsafeBytes { _ = pwrite(copy, $0.baseAddress, $0.count, 0) }
    }
    return true
  }

  /// What stands in such a file as of now; `nil` if there is none.
  private func content(
    of file: ProcessTimes.File, for opener: Int32, _ thread: Int32
  ) -> [UInt8]? {
    let real = RealClock.monotonic()
    let start = (clock.wall(real: real) + -clock.boot(real: real)).seconds
    switch file {
    case .machine:
      return SmallFile.read("/proc/stat").map { Array(ProcessTimes.machine($0, start: start).utf8) }
    case .process(let number, let thread):
      let process = number ?? opener
      let path = thread.map { "/proc/\(process)/task/\($0)/stat" } ?? "/proc/\(process)/stat"
      // Who is not of the scenario has started before it, as a rule.
      let displacement =
        ProcessTimes.ticks(VirtualClock.initialMonotonic) - ProcessTimes.ticks(realFirstBoot)
      let birth = processes[ThreadIdentifier(process)]?.birth.map { ProcessTimes.ticks($0) }
      return SmallFile.read(path).map {
        Array(ProcessTimes.process($0) { birth ?? max(0, $0 + displacement) }.utf8)
      }
    case .logins:
      // As the opener sees it, which may have another root folder.
      let path = "/proc/\(thread)/root/run/utmp"
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_size <= Self.loginLimit, let records = SmallFile.bytes(path),
        let machineStart = SmallFile.read("/proc/stat").flatMap(ProcessTimes.start)
      else { return nil }
      return ProcessTimes.logins(records, later: start - machineStart)
    }
  }

  /// Whether a path that begins so may be that of one of the files; every open is looked at, so none is copied.
  private static func mayTellTimes(_ beginning: UInt64) -> Bool {
    beginning << 16 == folder || beginning == variables || beginning == runtime
  }

  /// How many bytes of records are told of who has logged in.
  private static let loginLimit = 1 << 20

  /// "/var/run" and "/run/utm".
  private static let variables: UInt64 = 0x6e75_722f_7261_762f
  private static let runtime: UInt64 = 0x6d74_752f_6e75_722f

  /// "/proc/", shifted by two bytes, on a machine that counts bytes from the low end.
  private static let folder: UInt64 = 0x2f63_6f72_702f_0000
}
