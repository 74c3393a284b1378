import Glibc
import Testing

/// What a probe's row needs of the supervisor beyond what it has always held.
enum ProbeNeed: CaseIterable {
  /// timerfd, POSIX timers, setitimer, alarm.
  case timers
  /// SO_RCVTIMEO and SO_SNDTIMEO, and the timeout of recvmmsg.
  case socketTimeouts
  /// Message queues, System V semaphores, sigtimedwait, io_getevents, futex_waitv.
  case rareWaits
  /// Programs that ask again and again at one instant: a loop that ends when the clock is strictly
  /// later than its deadline.
  case turning

  /// What the supervisor does not hold yet: rows with these needs are skipped.
  static let waitsOnTimers: Set<ProbeNeed> = [.timers, .socketTimeouts, .rareWaits, .turning]
}

/// A wait that a probe makes.
struct ProbeRow: Sendable {
  /// What the probe calls it.
  var name: String
  /// How long it is asked to last, in milliseconds.
  var length: Int
  /// How long it lasts, in milliseconds, where that is not `length`.
  var expected: Int
  /// By how much it may last longer, in milliseconds: what a runtime rounds up, or sleeps besides.
  var slack: Double
  /// What it needs; `nil` for what the supervisor has always held.
  var need: ProbeNeed?

  init(
    _ name: String, _ length: Int = 2500, expected: Int? = nil, slack: Double = 0,
    needs need: ProbeNeed? = nil
  ) {
    self.name = name
    self.length = length
    self.expected = expected ?? length
    self.slack = slack
    self.need = need
  }

  /// What the probe is told.
  var word: String { "\(name)=\(length)" }

  /// Whether a line of the probe's output is what this row must give.
  func accepts(_ line: Substring) -> Bool {
    let prefix = "\(name) elapsed_ms="
    guard line.hasPrefix(prefix) else { return false }
    let time = line.dropFirst(prefix.count)
    guard slack > 0 else { return time == "\(expected)" }
    // What counts in floating point may also end a little early.
    let tolerance = 0.001
    return Double(time).map {
      Double(expected) - tolerance...Double(expected) + slack ~= $0
    } ?? false
  }
}

/// A program that makes all the waits that its language knows.
struct Probe: Sendable, CustomTestStringConvertible {
  /// What it is called.
  var name: String
  /// The command, to which the rows' words are added.
  var command: [String]
  /// What it can do.
  var rows: [ProbeRow]

  var testDescription: String { name }

  /// A probe that Tests/Programs/Languages/build.sh has compiled.
  static func compiled(_ name: String, _ rows: [ProbeRow]) -> Probe {
    Probe(name: name, command: ["\(root)/.build/programs/languages/\(name)"], rows: rows)
  }

  /// A probe that Debian's interpreter runs from its source.
  static func interpreted(
    _ name: String, by interpreter: String, _ file: String, _ rows: [ProbeRow]
  ) -> Probe {
    Probe(
      name: name, command: [interpreter, "\(root)/Tests/Programs/Languages/\(file)"], rows: rows)
  }

  /// The probe with those rows only that have a need, or none.
  func needing(_ need: ProbeNeed?) -> Probe {
    var probe = self
    probe.rows = rows.filter { $0.need == need }
    return probe
  }

  /// The package's folder.
  static let root = String(
    #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined())
}
