public import ScenarioModel

/// A wait that passed in real time, or may have.
public struct EscapedWait: Sendable, Hashable, Codable {
  /// The program's name without its folder.
  public var program: String
  /// The system call.
  public var systemCall: String
  /// How long it was to last; `nil` if that is not known.
  public var length: Nanoseconds?
  /// Why it could not be held: lower case, no full stop.
  public var reason: String

  /// Creates a description.
  public init(program: String, systemCall: String, length: Nanoseconds?, reason: String) {
    self.program = program
    self.systemCall = systemCall
    self.length = length
    self.reason = reason
  }
}

/// A process that the supervisor cannot control.
public struct ProcessOutOfReach: Sendable, Hashable, Codable {
  /// Why: lower case, no full stop.
  public var reason: String

  /// Creates a description.
  public init(reason: String) {
    self.reason = reason
  }
}

/// A change of a file outside of the case's folders, told once for each path.
public struct OutsideChange: Sendable, Hashable, Codable {
  /// The program's name without its folder.
  public var program: String
  /// The system call.
  public var systemCall: String
  /// The path of the file or folder, or of the one of two that is outside.
  public var path: String
  /// Whether the call was refused.
  public var isRefused: Bool

  /// Creates a description.
  public init(program: String, systemCall: String, path: String, isRefused: Bool) {
    self.program = program
    self.systemCall = systemCall
    self.path = path
    self.isRefused = isRefused
  }

  /// What happened, in words behind the program's name.
  public var text: String {
    isRefused
      ? "is refused \(systemCall) of \(path), outside of the case's folders"
      : "changes \(path) outside of the case's folders, in \(systemCall)"
  }
}

/// What became of the target's connections in one case: the proof that nothing left the machine.
public struct NetworkAccount: Sendable, Hashable, Codable {
  /// How many connections met the stand-in.
  public var connections: Int
  /// How many calls that would have left the machine were refused.
  public var refused: Int
  /// Addresses beyond this machine that were reached for real, the first of them, with their ports.
  public var reached: [String]
  /// How many there are beyond those that are listed.
  public var unlisted: Int

  /// Creates an account; all zero at first.
  public init(
    connections: Int = 0, refused: Int = 0, reached: [String] = [], unlisted: Int = 0
  ) {
    self.connections = connections
    self.refused = refused
    self.reached = reached
    self.unlisted = unlisted
  }

  /// How many addresses were reached for real.
  public var reachedCount: Int { reached.count + unlisted }

  /// The account in one line.
  public var text: String {
    var parts = ["\(connections) connection\(connections == 1 ? "" : "s") to the stand-in"]
    if refused > 0 { parts.append("\(refused) refused") }
    parts.append(reachedText)
    return parts.joined(separator: ", ")
  }

  /// Which addresses were reached for real.
  public var reachedText: String {
    let count = "\(reachedCount) address\(reachedCount == 1 ? "" : "es") reached for real"
    guard !reached.isEmpty else { return count }
    let more = unlisted > 0 ? ", …" : ""
    return "\(count): \(reached.joined(separator: ", "))\(more)"
  }
}

/// What became of time in one case: the proof that it was under control.
public struct TimeAccount: Sendable, Hashable, Codable {
  /// How many timed waits were held.
  public var waits: Int
  /// How many kinds of wait, by process and call, passed in real time.
  public var escapedWaits: Int
  /// How many processes were out of reach.
  public var processesOutOfReach: Int
  /// How often virtual time was moved.
  public var moves: Int
  /// By how much in all.
  public var moved: Nanoseconds
  /// Programs that have read the processor's time stamp counter, which tells the machine's time; `nil` for none.
  public var counterReaders: [String]?

  /// Creates an account; all zero at first.
  public init(
    waits: Int = 0, escapedWaits: Int = 0, processesOutOfReach: Int = 0, moves: Int = 0,
    moved: Nanoseconds = .zero, counterReaders: [String]? = nil
  ) {
    self.waits = waits
    self.escapedWaits = escapedWaits
    self.processesOutOfReach = processesOutOfReach
    self.moves = moves
    self.moved = moved
    self.counterReaders = counterReaders
  }

  /// The account in one line.
  public var text: String {
    var parts = [
      "\(waits) wait\(waits == 1 ? "" : "s") held", "\(escapedWaits) escaped",
      "the clock moved by \(moved) in \(moves) step\(moves == 1 ? "" : "s")",
    ]
    if processesOutOfReach > 0 { parts.insert("\(processesOutOfReach) out of reach", at: 2) }
    if let counterReaders {
      parts.append("the processor's counter read by \(counterReaders.joined(separator: ", "))")
    }
    return parts.joined(separator: ", ")
  }
}
