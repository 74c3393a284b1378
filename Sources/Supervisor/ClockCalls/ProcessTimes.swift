internal import Foundations

/// The times in /proc/stat, /proc/PID/stat and the records of logins, converted from the machine's
/// to the scenario's (proc(5), utmp(5)).
///
/// The target gets a copy as of the moment at which it opens the file.
enum ProcessTimes {
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
    guard let (beginning, known) = split(text), let ticks = Int64(known[startPlace]) else {
      return text
    }
    var fields = known.map(String.init)
    fields[startPlace] = "\(start(ticks))"
    return beginning + fields.joined(separator: " ")
  }

  /// Returns the number of a process or thread and its start, in ticks, from such a text; `nil` if it is none.
  static func birth(_ text: String) -> (number: Int32, ticks: Int64)? {
    guard let (beginning, fields) = split(text), let ticks = Int64(fields[startPlace]),
      let number = Int32(beginning.prefix { $0 != " " })
    else { return nil }
    return (number, ticks)
  }

  /// The place of the start among the fields behind the name.
  private static let startPlace = 20

  /// Splits the text behind the name; `nil` if it has not as many fields.
  private static func split(_ text: String) -> (beginning: String, fields: [Substring])? {
    // The name stands in parentheses, and may hold any itself; behind it stands the third field.
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[end...].split(separator: " ", omittingEmptySubsequences: false)
    return fields.count > startPlace ? (String(text[..<end]), fields) : nil
  }
}
