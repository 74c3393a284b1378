internal import Foundations
internal import Glibc

/// The times in /proc/stat, /proc/PID/stat and the records of logins, converted from the machine's
/// to the scenario's (proc(5), utmp(5)).
///
/// The target gets a copy as of the moment at which it opens the file.
enum ProcessTimes {
  /// A file that has a time.
  enum File: Equatable {
    /// /proc/stat, whose line `btime` has the start time of the machine.
    case machine
    /// /proc/PID/stat, or a thread's, whose 22nd field has the start time of the process; `nil` for
    /// the opener's own.
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

  /// Returns the start time of the machine, in seconds since 1970, from the text of /proc/stat;
  /// `nil` if it has none.
  static func start(_ text: String) -> Int64? {
    text.split(separator: "\n").first { $0.hasPrefix("btime ") }.flatMap { Int64($0.dropFirst(6)) }
  }

  /// Returns the text of /proc/PID/stat, with another start of the process.
  ///
  /// - Parameter start: converts the ticks in the text.
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
