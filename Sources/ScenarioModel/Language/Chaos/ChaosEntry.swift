package import Foundations

/// One entry of `chaos:`.
package struct ChaosEntry: Sendable {
  /// `name:` how steps and reports call it; the calls joined by "/" where it is missing.
  package var name: Located<String>
  /// True if an author has given the name.
  package var isNamed = false
  /// The target that the faults are injected into.
  package var victim: FaultTarget
  /// `except:` functions that an asterisk in `function:` does not match.
  package var exceptions: [Located<String>] = []
  /// `where:` which calls.
  package var conditions: WrittenConditions
  /// `when:` which of those.
  package var schedule: WrittenSchedule
  /// `provide:` what they give instead.
  package var provider: FaultAction
  /// `apply: false` waits for a step.
  package var isApplied: Bool
  /// The place of the entry.
  package var range: SourceRange

  /// Creates an entry.
  package init(
    name: Located<String>, victim: FaultTarget, conditions: WrittenConditions = WrittenConditions(),
    schedule: WrittenSchedule = WrittenSchedule(), provider: FaultAction, isApplied: Bool = true,
    range: SourceRange
  ) {
    self.name = name
    self.victim = victim
    self.conditions = conditions
    self.schedule = schedule
    self.provider = provider
    self.isApplied = isApplied
    self.range = range
  }
}

/// The target of an entry of `chaos:`.
package enum FaultTarget: Sendable {
  /// `call:` system call families (`fsync`, `open`, …), groups (`@sync`), single calls by their kernel
  /// names.
  case calls([Located<String>])
  /// Functions by the names of their symbols, in a library, in the executable (`exe`), or where the
  /// dynamic linker finds them.
  case functions([Located<String>], in: Located<String>?)
  /// `link:` the connections to a host, and the questions for its name.
  case link(LinkPattern)
  /// `disk:` the faults of files that a glob matches, or that are below a folder that it matches.
  case disk([Located<String>])
  /// `process:` processes, by their programs or their numbers.
  case processes([Located<ProcessName>])

  /// The kinds of targets.
  package enum Kind: Sendable, Hashable {
    /// System calls.
    case calls
    /// Functions.
    case functions
    /// Connections, or questions for a name.
    case link
    /// The disk of files.
    case disk
    /// Processes.
    case processes
  }
}

/// The name of a process: its program or its number.
package enum ProcessName: Sendable, Hashable {
  /// A glob on one of the program's names, or on one of its paths where the glob holds a slash.
  case program(String)
  /// The process's number in the order of births, from 1.
  case ordinal(Int)
}

/// `when:` which of the occurrences that match are affected.
///
/// Window, `skip`, `every` or `nth`, `probability` and `times` are asked in this order.
package struct ChaosSchedule: Sendable, Hashable, Codable {
  /// `skip:` how many pass first.
  package var after = 0
  /// `every:` of those behind, every second, third and so on.
  package var every: Int?
  /// `nth:` the affected calls, counted from 1 after those skipped, ascending.
  package var places: [Int] = []
  /// `probability:` 0 … 1.
  package var probability: Double?
  /// `times:` how many are affected at most; `nil` is all.
  package var times: Int?
  /// `from:` virtual time; a shift counts from the scenario's start.
  package var from: InstantExpression?
  /// `until:` likewise.
  package var until: InstantExpression?
  /// `during:` the name of a step.
  package var during: String?
  /// `on:` what must have happened before.
  package var event: ChaosEvent?

  /// Creates a schedule that takes all.
  package init() {}

  /// True if more than the number of a call decides whether it is taken.
  package var hasWindow: Bool { from != nil || until != nil || during != nil || event != nil }

  /// True if all are taken.
  package var takesAll: Bool { self == ChaosSchedule() }
}

/// `on:` something after which an entry is due.
package struct ChaosEvent: Sendable, Hashable, Codable {
  /// `reply:` the name of an entry of `responses:`.
  package var reply: String
  /// `nth:` which reply of that entry, from 1.
  package var number: Int

  /// Creates an event.
  package init(reply: String, number: Int) {
    self.reply = reply
    self.number = number
  }
}

/// A schedule as a file has it.
package struct WrittenSchedule: Sendable {
  /// The schedule.
  package var value = ChaosSchedule()
  /// `nth:` as an expression, whose value the row of a matrix decides.
  package var placeExpression: DataNode?
  /// The place of each key's value; of `on:` that of its `reply:`.
  package var ranges: [String: SourceRange] = [:]

  /// Creates a schedule that takes all.
  package init() {}

  /// Returns the value of a key, with its place; `nil` where there is none.
  package func part<Content>(
    _ key: String, _ place: KeyPath<ChaosSchedule, Content?>
  ) -> Located<Content>? {
    guard let content = value[keyPath: place], let range = ranges[key] else { return nil }
    return Located(content, at: range)
  }
}
