internal import Glibc
internal import ScenarioModel

/// What /proc/stat and /proc/PID/stat tell of the machine's own time, as the scenario has it (proc(5)).
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

    /// Reads an absolute path; `nil` if it is another file's.
    init?(_ path: String) {
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
      memory.read(UInt64.self, at: opening.pathAddress).map({ $0 << 16 == Self.folder }) ?? false,
      let path = memory.readText(at: opening.pathAddress, limit: 256),
      let file = ProcessTimes.File(path), isInOwnNamespace(tracee)
    else { return false }
    let number = tracee.process.identifier.number
    // What does not exist is for the kernel to say.
    guard text(of: file, for: number, tracee.identifier.number) != nil else { return false }
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
      var text = loop.text(of: file, for: number, thread.number) ?? ""
      text.withUTF8 { _ = pwrite(copy, $0.baseAddress, $0.count, 0) }
    }
    return true
  }

  /// The text of such a file as of now; `nil` if there is none.
  private func text(of file: ProcessTimes.File, for opener: Int32, _ thread: Int32) -> String? {
    let real = RealClock.monotonic()
    switch file {
    case .machine:
      let start = clock.wall(real: real) + -clock.boot(real: real)
      return SmallFile.read("/proc/stat").map {
        ProcessTimes.machine($0, start: start.seconds)
      }
    case .process(let number, let thread):
      let process = number ?? opener
      let path = thread.map { "/proc/\(process)/task/\($0)/stat" } ?? "/proc/\(process)/stat"
      // Who is not of the scenario has started before it, as a rule.
      let displacement =
        ProcessTimes.ticks(VirtualClock.initialMonotonic) - ProcessTimes.ticks(realFirstBoot)
      let birth = processes[ThreadIdentifier(process)]?.birth.map { ProcessTimes.ticks($0) }
      return SmallFile.read(path).map {
        ProcessTimes.process($0) { birth ?? max(0, $0 + displacement) }
      }
    }
  }

  /// "/proc/", shifted by two bytes, on a machine that counts bytes from the low end.
  private static let folder: UInt64 = 0x2f63_6f72_702f_0000
}
