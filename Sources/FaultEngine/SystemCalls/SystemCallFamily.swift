internal import Foundations
package import Patterns
internal import ScenarioPlan

/// The subject that a system call acts on, by its arguments, which count from 0.
package enum SystemCallSubject: Sendable, Hashable {
  /// A path in the caller's memory, relative to the folder descriptor in argument `directory`, or
  /// to the caller's working directory where that is `nil`.
  case path(argument: Int, directory: Int? = nil)
  /// A file descriptor.
  case descriptor(argument: Int)
  /// The descriptor of a socket, whose peer is the host.
  case socket(argument: Int)
  /// A socket address in the caller's memory, its length in the argument behind; may be NULL.
  case address(argument: Int)
  /// A `struct msghdr` (or an array that begins with one), whose name is an address or NULL.
  case message(argument: Int)
}

/// One system call by its kernel name.
package struct SystemCall: Sendable, Hashable {
  /// The kernel's name, such as `openat`.
  package let name: String
  /// The subjects that it acts on; a call may act on two things.
  package let subjects: [SystemCallSubject]
  /// Bits that must be set, and bits that must be clear among its flags, so that it belongs to the family:
  /// unlinkat(2) is rmdir(2) as well.
  let setFlags: UInt64
  let clearFlags: UInt64
  /// The end of two descriptors that the family is about: of a call that moves bytes from one to
  /// the other, the first is read and the second is written.
  let end: TransferEnd?

  /// Creates a call.
  init(
    _ name: String, _ subjects: SystemCallSubject..., setFlags: UInt64 = 0,
    clearFlags: UInt64 = 0
  ) {
    self.name = name
    self.subjects = subjects
    self.setFlags = setFlags
    self.clearFlags = clearFlags
    end = nil
  }

  private init(_ call: SystemCall, at end: TransferEnd) {
    name = call.name
    subjects = call.subjects
    setFlags = call.setFlags
    clearFlags = call.clearFlags
    self.end = end
  }

  /// The calls that move bytes between two descriptors, as calls on one of them.
  static func transfers(at end: TransferEnd) -> [SystemCall] {
    [
      SystemCall("sendfile", .descriptor(argument: 1), .descriptor(argument: 0)),
      SystemCall("copy_file_range", .descriptor(argument: 0), .descriptor(argument: 2)),
      SystemCall("splice", .descriptor(argument: 0), .descriptor(argument: 2)),
    ].map { SystemCall($0, at: end) }
  }

  /// True if the call takes a path, or a descriptor that may have one.
  package var hasPath: Bool {
    subjects.contains { subject in
      switch subject {
      case .path, .descriptor: true
      case .socket, .address, .message: false
      }
    }
  }

  /// True if the call takes a descriptor.
  package var hasDescriptor: Bool {
    subjects.contains { subject in
      switch subject {
      case .descriptor, .socket: true
      case .path, .address, .message: false
      }
    }
  }

  /// True if the call connects or sends to a host.
  package var hasHost: Bool {
    subjects.contains { subject in
      switch subject {
      case .socket, .address, .message: true
      case .path, .descriptor: false
      }
    }
  }

  /// The call with that kernel name; `nil` if no family holds it.
  package static func named(_ name: String) -> SystemCall? { byName[name] }

  /// The families that are about all descriptors of a call, by name; of several the first counts.
  private static let byName = Dictionary(
    SystemCallFamily.all.flatMap(\.members).filter { $0.end == nil }.map { ($0.name, $0) },
    uniquingKeysWith: { first, _ in first })
}

/// System calls that do the same thing, under the name that authors write.
package struct SystemCallFamily: Sendable, Hashable {
  /// The name in `call:`.
  package let name: String
  /// The calls.
  package let members: [SystemCall]

  /// Creates a family.
  init(_ name: String, _ members: [SystemCall]) {
    self.name = name
    self.members = members
  }

  /// The family with that name, or a single call by its kernel name.
  ///
  /// - Throws: `PatternError` with the nearest name if there is neither.
  package static func named(_ name: String) throws(PatternError) -> SystemCallFamily {
    if let family = all.first(where: { $0.name == name }) { return family }
    if let family = aliases.first(where: { $0.name == name }) { return family }
    if SystemCall.named(name) != nil { return SystemCallFamily(name, [SystemCall(name)]) }
    guard !clockReads.contains(name) else {
      throw PatternError(
        "programs read the clock from memory, without the call \"\(name)\"",
        help: "move the clock with a step, such as jump: -1h")
    }
    if let refusal = reason(toRefuse: name) {
      throw PatternError(refusal.message, help: refusal.help)
    }
    let names = (all + aliases).map(\.name) + all.flatMap(\.members).map(\.name)
    let families = Suggestion.help(for: name, in: names, label: "known calls")
    throw PatternError("unknown call \"\(name)\"", help: families)
  }
}
