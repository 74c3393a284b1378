package import Foundations

/// A wait that passed in real time, or may have.
package struct EscapedWait: Sendable, Hashable, Codable {
  /// The program's name without its folder.
  package var program: String
  /// The system call.
  package var systemCall: String
  /// The length of the wait; `nil` if that is not known.
  package var length: Nanoseconds?
  /// The reason why it could not be held: lower case, no full stop.
  package var reason: String

  /// Creates a description.
  package init(program: String, systemCall: String, length: Nanoseconds?, reason: String) {
    self.program = program
    self.systemCall = systemCall
    self.length = length
    self.reason = reason
  }
}

/// A process that the supervisor cannot control.
package struct ProcessOutOfReach: Sendable, Hashable, Codable {
  /// The reason: lower case, no full stop.
  package var reason: String

  /// Creates a description.
  package init(reason: String) {
    self.reason = reason
  }
}

/// A change of a file outside of the case's folders, reported once for each path.
package struct OutsideChange: Sendable, Hashable, Codable {
  /// The program's name without its folder.
  package var program: String
  /// The system call.
  package var systemCall: String
  /// The path of the file or folder, or of the one of two that is outside.
  package var path: String
  /// True if the call was refused.
  package var isRefused: Bool

  /// Creates a description.
  package init(program: String, systemCall: String, path: String, isRefused: Bool) {
    self.program = program
    self.systemCall = systemCall
    self.path = path
    self.isRefused = isRefused
  }

  /// The event in words, behind the program's name.
  package var text: String {
    isRefused
      ? "was refused \(systemCall) of \(path), outside of the case's folders"
      : "changes \(path) outside of the case's folders, in \(systemCall)"
  }
}

/// Counts the target's connections in one case: the proof that nothing left the machine.
package struct NetworkAccount: Sendable, Hashable, Codable {
  /// The number of connections to the mock server.
  package var connections: Int
  /// The number of refused calls that would have left the machine.
  package var refused: Int
  /// Addresses beyond this machine that were reached for real, the first of them, with their ports.
  package var reached: [String]
  /// The number of addresses beyond those that are listed.
  package var unlisted: Int
  /// The places that were refused, the first of them; `nil` for none.
  package var refusals: [Refusal]?
  /// The names that were looked up and do not exist, the first of them; `nil` for none.
  package var unknownNames: [UnknownName]?

  /// A name that was looked up, and that nothing in the scenario knows.
  package struct UnknownName: Sendable, Hashable, Codable {
    /// The name.
    package var name: String
    /// The name of the first program that looked it up; `nil` if it is not known.
    package var program: String?

    /// Creates one.
    package init(name: String, program: String?) {
      self.name = name
      self.program = program
    }

    /// The name in one line, with what would make it known.
    package var text: String {
      let client = program.map { ", by \($0)" } ?? ""
      return
        "\"\(name)\"\(client); a response for it, or `network: { dns: { records: { \(name): … } } }`, makes it known"
    }
  }

  /// A place beyond this machine that the target wanted to reach, and was refused.
  package struct Refusal: Sendable, Hashable, Codable {
    /// The host's name; its address where no name led to it.
    package var host: String
    /// The port.
    package var port: UInt16
    /// True for a datagram (UDP), false for a connection (TCP).
    package var isDatagram: Bool
    /// The name of the first program that wanted to reach it.
    package var program: String

    /// Creates one.
    package init(host: String, port: UInt16, isDatagram: Bool, program: String) {
      self.host = host
      self.port = port
      self.isDatagram = isDatagram
      self.program = program
    }

    /// The refusal in one line, with what would answer.
    package var text: String {
      let name = host.contains(":") ? "[\(host)]" : host
      let place = "\(name):\(port)"
      if isDatagram {
        let isName = host.contains { $0.isLetter } && !host.contains(":")
        return "\(place) (UDP), by \(program)"
          + (isName ? "; a target with `host: \(host)` can receive it" : "")
      }
      let url =
        switch port {
        case 80: "http://\(name)"
        case 443: "https://\(name)"
        default: "http://\(place)"
        }
      return "\(place), by \(program); a response such as `- GET \(url)/**: {}` answers it"
    }
  }

  /// Creates an account; all zero at first.
  package init(
    connections: Int = 0, refused: Int = 0, reached: [String] = [], unlisted: Int = 0,
    refusals: [Refusal]? = nil, unknownNames: [UnknownName]? = nil
  ) {
    self.connections = connections
    self.refused = refused
    self.reached = reached
    self.unlisted = unlisted
    self.refusals = refusals
    self.unknownNames = unknownNames
  }

  /// The number of addresses that were reached for real.
  package var reachedCount: Int { reached.count + unlisted }

  /// The account in one line.
  package var text: String {
    var parts = ["\(connections) connection\(connections == 1 ? "" : "s") to the mock server"]
    if refused > 0 { parts.append("\(refused) refused") }
    parts.append(reachedText)
    return parts.joined(separator: ", ")
  }

  /// The addresses that were reached for real, in words.
  package var reachedText: String {
    let count = "\(reachedCount) address\(reachedCount == 1 ? "" : "es") reached for real"
    guard !reached.isEmpty else { return count }
    let more = unlisted > 0 ? ", …" : ""
    return "\(count): \(reached.joined(separator: ", "))\(more)"
  }
}

/// Counts waits and moves of the clock in one case: the proof that time was under control.
package struct TimeAccount: Sendable, Hashable, Codable {
  /// The number of timed waits that were held.
  package var waits: Int
  /// The number of kinds of wait, by process and call, that passed in real time.
  package var escapedWaits: Int
  /// The number of processes that were out of reach.
  package var processesOutOfReach: Int
  /// The number of times that virtual time was moved.
  package var moves: Int
  /// The total by which virtual time moved.
  package var moved: Nanoseconds
  /// The programs that have read the processor's time stamp counter, which shows the machine's
  /// time; `nil` for none.
  package var counterReaders: [String]?
  /// Programs for whose computing virtual time has passed, and how much; `nil` for none.
  package var computed: [Computed]?
  /// The order in which threads have run; `nil` where the kernel has decided it.
  package var order: OrderAccount?

  /// The price of a program's computing.
  package struct Computed: Sendable, Hashable, Codable {
    /// The program's name without its folder.
    package var program: String
    /// The virtual time that has passed.
    package var charged: Nanoseconds

    /// Creates an account.
    package init(program: String, charged: Nanoseconds) {
      self.program = program
      self.charged = charged
    }
  }

  /// Creates an account; all zero at first.
  package init(
    waits: Int = 0, escapedWaits: Int = 0, processesOutOfReach: Int = 0, moves: Int = 0,
    moved: Nanoseconds = .zero, counterReaders: [String]? = nil, computed: [Computed]? = nil,
    order: OrderAccount? = nil
  ) {
    self.waits = waits
    self.escapedWaits = escapedWaits
    self.processesOutOfReach = processesOutOfReach
    self.moves = moves
    self.moved = moved
    self.counterReaders = counterReaders
    self.computed = computed
    self.order = order
  }

  /// The account in one line.
  package var text: String {
    var parts = [
      "\(waits) wait\(waits == 1 ? "" : "s") in virtual time", "\(escapedWaits) in real time",
      "the clock moved by \(moved) in \(moves) step\(moves == 1 ? "" : "s")",
    ]
    if processesOutOfReach > 0 { parts.insert("\(processesOutOfReach) out of reach", at: 2) }
    parts += (computed ?? []).map { "\($0.charged) charged for what \($0.program) computed" }
    if let counterReaders {
      parts.append("the processor's counter read by \(counterReaders.joined(separator: ", "))")
    }
    if let order { parts.append(order.text) }
    return parts.joined(separator: ", ")
  }
}

/// The order in which the threads of a case have run, where a seed decides it.
package struct OrderAccount: Sendable, Hashable, Codable {
  /// The number of times that a thread was chosen.
  package var turns: UInt64
  /// The digest of the history of the threads, as 16 hexadecimal digits: runs in which it differs
  /// were not the same.
  package var digest: String
  /// The reasons why another run may not be the same, each once; empty where none is known.
  package var doubts: [String]

  /// Creates an account.
  package init(turns: UInt64, digest: String, doubts: [String] = []) {
    self.turns = turns
    self.digest = digest
    self.doubts = doubts
  }

  /// The account in one line.
  package var text: String {
    let text = "order \(digest) in \(turns) turn\(turns == 1 ? "" : "s")"
    guard !doubts.isEmpty else { return text }
    return "\(text), which may not repeat (\(doubts.joined(separator: "; ")))"
  }
}
