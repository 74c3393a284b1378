/// One entry of `chaos:`.
public struct ChaosEntry: Sendable {
  /// `name:` how steps and reports call it; the calls joined by "/" where it is missing.
  public var name: Located<String>
  /// Whether an author has given the name.
  public var isNamed = false
  /// What goes wrong.
  public var victim: FaultTarget
  /// `except:` functions that an asterisk in `function:` does not stand for.
  public var exceptions: [Located<String>] = []
  /// `where:` which calls.
  public var conditions: ChaosConditions
  /// `when:` which of those.
  public var schedule: ChaosSchedule
  /// `provide:` what they give instead.
  public var provider: FaultAction
  /// `apply: false` waits for a step.
  public var isApplied: Bool
  /// Where the entry stands.
  public var range: SourceRange

  /// Creates an entry.
  public init(
    name: Located<String>, victim: FaultTarget, conditions: ChaosConditions = ChaosConditions(),
    schedule: ChaosSchedule = ChaosSchedule(), provider: FaultAction, isApplied: Bool = true,
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

/// What an entry of `chaos:` is about.
public enum FaultTarget: Sendable {
  /// `call:` system call families (`fsync`, `open`, …), groups (`@sync`), single calls by their kernel
  /// names.
  case calls([Located<String>])
  /// Functions by the names of their symbols, in a library, in the executable (`exe`), or where the
  /// dynamic linker finds them.
  case functions([Located<String>], in: Located<String>?)
  /// `link:` the connections to a host, and the questions for its name.
  case link(LinkPattern)
  /// `disk:` what files have that a glob names, or that stand in a folder that it names.
  case disk([Located<String>])
  /// `process:` processes, by their programs or their numbers.
  case processes([Located<ChaosConditions.ProcessCondition>])
}

extension ChaosEntry {
  /// Whether it is about the connections to a host, or the questions for its name.
  public var isAboutLink: Bool {
    if case .link = victim { return true }
    return false
  }
}

/// `where:` which occurrences are meant; all that is said must hold.
public struct ChaosConditions: Sendable {
  /// `path:` a glob.
  public var path: Located<String>?
  /// `fd:` what the descriptor leads to, one of these.
  public var kinds: [Located<DescriptorKind>] = []
  /// `host:` a glob.
  public var host: Located<String>?
  /// `port:` of the other end.
  public var port: Located<IntegerCondition>?
  /// `size:` how many bytes the call is about.
  public var size: Located<IntegerCondition>?
  /// `offset:` where in the file.
  public var offset: Located<IntegerCondition>?
  /// `flags:` by name, all of them set.
  public var flags: [Located<String>] = []
  /// `args:` by place, from 0.
  public var arguments: [ArgumentCondition] = []
  /// `process:` which one makes the call.
  public var process: Located<ProcessCondition>?
  /// `thread:` a glob on its name.
  public var thread: Located<String>?
  /// A glob on the name of the file whose code makes the call, or on its path where it holds a slash:
  /// of functions alone.
  public var caller: Located<String>?

  /// A condition on one argument.
  public struct ArgumentCondition: Sendable {
    /// The place, 0 … 5.
    public var index: Located<Int>
    /// What must hold.
    public var condition: IntegerCondition

    /// Creates a condition.
    public init(index: Located<Int>, condition: IntegerCondition) {
      self.index = index
      self.condition = condition
    }
  }

  /// Which process.
  public enum ProcessCondition: Sendable, Hashable {
    /// A glob on the executable's name, or on its path where the glob holds a slash.
    case program(String)
    /// The process's number in the order of births, from 1.
    case ordinal(Int)
  }

  /// Creates conditions that hold always.
  public init() {}
}

/// What a file descriptor leads to.
public enum DescriptorKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// A file or folder.
  case file
  /// A pipe, with or without a name.
  case pipe
  /// A TCP socket.
  case tcp
  /// A UDP socket.
  case udp
  /// A socket of this machine.
  case unix
  /// A terminal.
  case tty
}

/// `when:` which of the occurrences that match are affected.
///
/// Window, `after`, `every` or `nth`, `probability` and `times` are asked in this order.
public struct ChaosSchedule: Sendable {
  /// `after:` how many pass first.
  public var after = 0
  /// `every:` of those behind, each so-manieth.
  public var every: Located<Int>?
  /// `nth:` of those behind, these alone, counted from 1.
  public var places: Located<[Int]>?
  /// The same as an expression, whose value the row of a matrix decides.
  public var placeExpression: DataNode?
  /// `probability:` 0 … 1.
  public var probability: Double?
  /// `times:` how many are affected at most; `nil` is all.
  public var times: Int?
  /// `from:` virtual time; a shift counts from the scenario's start.
  public var from: Located<InstantExpression>?
  /// `until:` likewise.
  public var until: Located<InstantExpression>?
  /// `during:` the name of a step.
  public var during: Located<String>?
  /// `on:` what must have happened before.
  public var event: ChaosEvent?

  /// Creates a schedule that takes all.
  public init() {}
}

/// `on:` something after which an entry is due.
public struct ChaosEvent: Sendable {
  /// `reply:` the name of an entry of `responses:`.
  public var reply: Located<String>
  /// `nth:` which reply of that entry, from 1.
  public var number: Int

  /// Creates an event.
  public init(reply: Located<String>, number: Int) {
    self.reply = reply
    self.number = number
  }
}
