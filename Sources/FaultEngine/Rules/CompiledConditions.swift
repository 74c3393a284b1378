internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// Conditions cut for being asked often, the cheap ones first.
struct CompiledConditions: Sendable {
  private let planned: PlannedChaosConditions
  private let path: CompiledGlob?
  private let isRelative: Bool
  private let host: CompiledGlob?
  private let program: CompiledGlob?
  private let namesProgramOnly: Bool
  private let thread: CompiledGlob?
  private let caller: CompiledGlob?
  private let namesCallerOnly: Bool
  /// Whether a pattern is malformed, which the planner refuses: nothing matches.
  private let isBroken: Bool
  /// The case's directory, with a slash at its end.
  private let directory: String?

  init(_ planned: PlannedChaosConditions, directory: String?) {
    self.planned = planned
    self.directory = directory
    path = planned.path.flatMap { CompiledGlob($0.text) }
    isRelative = planned.path.map { !$0.text.hasPrefix("/") && !$0.text.hasPrefix("**") } ?? false
    host = planned.host.flatMap { CompiledGlob($0.text.lowercased()) }
    program = planned.program.flatMap { CompiledGlob($0.text) }
    namesProgramOnly = planned.program.map { !$0.text.contains("/") } ?? false
    thread = planned.thread.flatMap { CompiledGlob($0.text) }
    caller = planned.caller.flatMap { CompiledGlob($0.text) }
    namesCallerOnly = planned.caller.map { !$0.text.contains("/") } ?? false
    isBroken =
      (planned.path != nil && path == nil) || (planned.host != nil && host == nil)
      || (planned.program != nil && program == nil) || (planned.thread != nil && thread == nil)
      || (planned.caller != nil && caller == nil)
  }

  /// Whether all of them hold for a call.
  func hold(for facts: inout some ChaosFacts, _ traits: SystemCallTraits) -> Bool {
    if isBroken { return false }
    for argument in planned.arguments {
      let value = Int64(bitPattern: facts.argument(argument.index))
      // What is a C int in the kernel has no upper half worth looking at where it is negative.
      guard
        argument.condition.holds(for: value)
          || (value > Int64(Int32.max) && value <= Int64(UInt32.max)
            && argument.condition.holds(for: Int64(Int32(truncatingIfNeeded: value))))
      else { return false }
    }
    if let process = planned.process, facts.processOrdinal != process { return false }
    if let lineage = planned.lineage, facts.lineage != lineage { return false }
    return bytesHold(for: &facts) && flagsHold(for: &facts, traits) && kindHolds(for: &facts)
      && addressHolds(for: &facts) && namesHold(for: &facts) && pathHolds(for: &facts)
  }

  private func bytesHold(for facts: inout some ChaosFacts) -> Bool {
    if let size = planned.size {
      guard let value = facts.size(), size.holds(for: value) else { return false }
    }
    if let offset = planned.offset {
      guard let value = facts.offset(), offset.holds(for: value) else { return false }
    }
    return true
  }

  private func flagsHold(for facts: inout some ChaosFacts, _ traits: SystemCallTraits) -> Bool {
    guard !planned.flags.isEmpty else { return true }
    guard let kind = traits.flags?.kind ?? traits.flagKind, let word = facts.flags() else {
      return false
    }
    return planned.flags.allSatisfy { name in
      guard let flag = kind.table.first(where: { $0.name == name }) else { return false }
      return word & flag.bits == flag.bits
    }
  }

  private func kindHolds(for facts: inout some ChaosFacts) -> Bool {
    guard !planned.kinds.isEmpty else { return true }
    return facts.descriptorKind().map { planned.kinds.contains($0) } ?? false
  }

  private func addressHolds(for facts: inout some ChaosFacts) -> Bool {
    if let port = planned.port {
      guard let value = facts.port(), port.holds(for: value) else { return false }
    }
    if let host {
      guard let name = facts.host(), host.matches(name.lowercased()) else { return false }
    }
    return true
  }

  private func namesHold(for facts: inout some ChaosFacts) -> Bool {
    if let program {
      let path = facts.program()
      guard program.matches(namesProgramOnly ? Self.name(path) : path) else { return false }
    }
    if let thread, !thread.matches(facts.threadName()) { return false }
    if let caller {
      guard let path = facts.caller(), caller.matches(namesCallerOnly ? Self.name(path) : path)
      else { return false }
    }
    return true
  }

  private static func name(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private func pathHolds(for facts: inout some ChaosFacts) -> Bool {
    guard let path else { return true }
    return facts.paths().contains { text in
      guard isRelative, let directory else { return path.matches(text) }
      return text.hasPrefix(directory)
        && path.matches(String(text.dropFirst(directory.count)))
    }
  }

  /// Which conditions do not hold for a call, by their keys, and what was met in their place.
  func failing(
    for facts: inout some ChaosFacts, _ traits: SystemCallTraits
  ) -> [(key: String, met: String)] {
    var failing: [(key: String, met: String)] = []
    if !pathHolds(for: &facts) { failing.append(("path", "")) }
    if !kindHolds(for: &facts) {
      failing.append(("fd", facts.descriptorKind()?.rawValue ?? "another kind"))
    }
    let size = planned.size
    if let size, !(facts.size().map { size.holds(for: $0) } ?? false) {
      failing.append(("size", facts.size().map { "\($0)" } ?? "unknown"))
    }
    let offset = planned.offset
    if let offset, !(facts.offset().map { offset.holds(for: $0) } ?? false) {
      failing.append(("offset", facts.offset().map { "\($0)" } ?? "unknown"))
    }
    if !flagsHold(for: &facts, traits) { failing.append(("flags", "others")) }
    if !addressHolds(for: &facts) { failing.append(("host", "")) }
    if program?.matches(namesProgramOnly ? Self.name(facts.program()) : facts.program()) == false {
      failing.append(("process", Self.name(facts.program())))
    }
    if let process = planned.process, facts.processOrdinal != process {
      failing.append(("process", "\(facts.processOrdinal)"))
    }
    if let thread, !thread.matches(facts.threadName()) {
      failing.append(("thread", facts.threadName()))
    }
    for argument in planned.arguments {
      let value = Int64(bitPattern: facts.argument(argument.index))
      if !argument.condition.holds(for: value) {
        failing.append(("argument \(argument.index)", "\(value)"))
      }
    }
    return failing
  }

  /// What the author asked for that near misses are compared with.
  var wanted: String? {
    planned.path?.text ?? planned.host?.text ?? planned.program?.text ?? planned.thread?.text
      ?? planned.caller?.text
  }

  /// Whether near misses are told by their hosts.
  var isAboutHosts: Bool { planned.path == nil && (planned.host != nil || planned.port != nil) }
}
