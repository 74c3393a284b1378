import Glibc
import Testing

/// The kinds of waits, each of which the kernel keeps in its own way.
enum WaitKind: CaseIterable, CustomTestStringConvertible {
  /// Sleeps, polls, locks and conditions.
  case plain
  /// timerfd, POSIX timers, setitimer, alarm.
  case timer
  /// SO_RCVTIMEO and SO_SNDTIMEO, and the timeout of recvmmsg.
  case socketTimeout
  /// Message queues, System V semaphores, sigtimedwait, io_getevents, futex_waitv.
  case rare
  /// Loops that ask again and again until the clock is strictly later than their deadline.
  case turning

  var testDescription: String { "\(self)" }
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
  /// What kind of wait it is.
  var kind: WaitKind

  init(
    _ name: String, _ length: Int = 2500, expected: Int? = nil, slack: Double = 0,
    kind: WaitKind = .plain
  ) {
    self.name = name
    self.length = length
    self.expected = expected ?? length
    self.slack = slack
    self.kind = kind
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

  /// The probe with the rows of one kind only.
  func only(_ kind: WaitKind) -> Probe {
    var probe = self
    probe.rows = rows.filter { $0.kind == kind }
    return probe
  }

  /// The package's folder.
  static let root = String(
    #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined())
}
