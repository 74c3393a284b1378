internal import FaultEngine
internal import ScenarioModel
internal import ScenarioPlan

/// The scope of an entry: the conditions that its calls can be checked for.
struct ChaosScope {
  /// The author's word for the target.
  var word: String
  /// The target; no calls where these are not known.
  var target = PlannedFaultTarget.calls([])
  /// The kinds that `fd:` names; empty is anything.
  var askedKinds: [DescriptorKind] = []
  /// `where:` of the entry, and of the branches around.
  var outerConditions: [ChaosConditions] = []

  var calls: [PlannedCall] { target.calls }
  var functions: PlannedFunctions? { target.functions }

  /// The kind of target for conditions: calls that are counted among functions have the facts of
  /// functions.
  var kind: FaultTarget.Kind { functions == nil ? target.kind : .functions }

  /// The traits of the calls.
  var traits: [SystemCallTraits] { calls.map { SystemCallTraits.of($0.name) } }

  private var systemCalls: [SystemCall] { calls.compactMap { SystemCall.named($0.name) } }

  /// True if a call takes a path, or a descriptor that may have one.
  var hasPath: Bool { systemCalls.contains(where: \.hasPath) }

  /// True if a call connects or sends to a host; a descriptor may lead to a socket.
  var hasHost: Bool { !kinds.isDisjoint(with: [.tcp, .udp]) }

  /// True if a call takes a descriptor.
  var hasDescriptor: Bool { !kinds.isEmpty }

  /// True if a call has a path among its arguments.
  var takesPath: Bool {
    systemCalls.contains { call in
      call.subjects.contains { if case .path = $0 { true } else { false } }
    }
  }

  /// True if a call has two descriptors, of which one may be a file and the other a socket.
  var canHavePathAndHost: Bool {
    calls.contains { call in
      guard call.end == nil, let known = SystemCall.named(call.name) else { return false }
      return known.subjects.count > 1 && known.kinds?.isDisjoint(with: [.tcp, .udp]) == false
        && known.hasPath
    }
  }

  /// True if no call acts on two files: of two paths each may meet another condition.
  var hasOnePath: Bool {
    calls.allSatisfy { call in
      guard call.end == nil else { return true }
      let subjects = SystemCall.named(call.name)?.subjects ?? []
      return subjects.count {
        if case .path = $0 { true } else if case .descriptor = $0 { true } else { false }
      }
        < 2
    }
  }

  /// The kinds of objects that the calls' descriptors can lead to.
  var kinds: Set<DescriptorKind> {
    systemCalls.reduce(into: []) { kinds, call in kinds.formUnion(call.kinds ?? []) }
  }
}

// MARK: - Conditions

extension ChaosScope {
  /// Returns the reason why a condition cannot be evaluated for the target, and the help; `nil` if
  /// it can.
  func mistake(in condition: ChaosCondition) -> (message: String, help: String)? {
    guard condition.isKnown(of: kind) else { return ignorance(of: condition) }
    guard kind == .calls, !calls.isEmpty else { return nil }
    switch condition {
    case .path where !hasPath:
      return (
        "\"\(word)\" takes neither a path nor a file",
        hasHost
          ? "match it by host: where: { host: api.example.com }" : "remove \"path\""
      )
    case .host where !hasHost, .port where !hasHost:
      return (
        "\"\(word)\" takes no address",
        "remove \"host\" and \"port\", or name a call such as connect, send or recv"
      )
    case .kind where !hasDescriptor:
      return (
        "\"\(word)\" takes no descriptor",
        "remove \"fd\", or name a call such as read, write or fsync"
      )
    case .size where !traits.contains(where: { $0.size != nil || $0.transfer != nil }):
      return (
        "\"\(word)\" has no number of bytes",
        "remove \"size\", or match an argument: args: { 2: 4096 }"
      )
    case .offset where !traits.contains(where: \.hasOffset):
      return ("\"\(word)\" has no file offset", "remove \"offset\"")
    default: return nil
    }
  }

  /// The same of a condition that is not declared for what is struck.
  private func ignorance(of condition: ChaosCondition) -> (message: String, help: String)? {
    let key = condition.rawValue
    switch kind {
    case .calls:
      guard !calls.isEmpty else { return nil }
      return condition.declaration.targets == [.functions]
        ? (
          "\"\(key)\" is a condition only for functions",
          "remove it, or name a function: function: malloc"
        ) : ("\"\(key)\" is not a condition for \"\(word)\"", "remove it")
    case .functions:
      let keys = ChaosCondition.list(of: kind, example: .arguments)
      return (
        "\"\(key)\" is not a condition for the function \"\(word)\"",
        "match by \(keys), as in { function: malloc, where: { args: { 0: { greater_than: 4096 } } } }"
      )
    case .link:
      return (
        "\"\(key)\" is not a condition for a connection",
        "match by \(ChaosCondition.list(of: kind)), as in where: { process: curl }"
      )
    case .disk:
      return (
        "\"\(key)\" is not a condition for a disk",
        condition == .path
          ? "write the glob as the value of \"disk\""
          : "match callers by \(ChaosCondition.list(of: kind))"
      )
    // Reported once for all of them.
    case .processes: return nil
    }
  }

  /// Returns whether conditions ask for what none of the calls has.
  func isForeign(to conditions: WrittenConditions) -> Bool {
    conditions.value.asked.contains { condition, _ in
      // A size or an offset that no call has is a mistake all the same.
      ![.size, .offset].contains(condition) && mistake(in: condition) != nil
        || !condition.isKnown(of: kind)
    }
  }
}

extension SystemCallTraits {
  /// True if the call has a place in a file: by an argument, or the descriptor's own.
  fileprivate var hasOffset: Bool { offset != nil || transfer != nil }
}
