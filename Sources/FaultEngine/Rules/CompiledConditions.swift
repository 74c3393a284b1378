internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// Conditions cut for being asked often, the cheap ones first.
struct CompiledConditions: Sendable {
  private let planned: ChaosConditions
  /// The tests in the order of the declarations.
  private let tests: [CompiledTest]
  private let byCost: [CompiledTest]

  /// - Parameter directory: The case's directory, with a slash at its end.
  init(_ planned: ChaosConditions, directory: String?) {
    self.planned = planned
    tests = planned.asked.map { CompiledTest($0.condition, $0.test, directory: directory) }
    byCost = tests.sorted { $0.cost < $1.cost }
  }

  /// Returns whether all of them hold for a call.
  func hold(for facts: inout some ChaosFacts, _ traits: SystemCallTraits) -> Bool {
    if let lineage = planned.lineage, facts.lineage != lineage { return false }
    for test in byCost where !test.holds(for: &facts, traits) { return false }
    return true
  }

  /// Returns the conditions that do not hold for a call, by their keys, with the values that were
  /// met in their place.
  func failing(
    for facts: inout some ChaosFacts, _ traits: SystemCallTraits
  ) -> [(key: String, met: String)] {
    var failing: [(key: String, met: String)] = []
    var arguments: [(key: String, met: String)] = []
    for test in tests where !test.holds(for: &facts, traits) {
      switch test.condition {
      case .path: failing.append(("path", ""))
      case .host: failing.append(("host", ""))
      // A host and its port are one place.
      case .port where failing.contains { $0.key == "host" }: break
      case .port: failing.append(("host", ""))
      case .arguments: arguments += test.failingArguments(of: facts)
      // Of a system call no caller is ever known.
      case .caller where facts.texts(of: .caller).isEmpty: break
      default: failing.append((test.condition.rawValue, test.met(in: &facts)))
      }
    }
    return failing + arguments
  }

  /// The pattern that near misses are compared with.
  var wanted: String? {
    planned.asked.lazy.compactMap { condition, _ in planned.pattern(condition) }.first
  }

  /// True if near misses are named by their hosts.
  var isAboutHosts: Bool {
    planned[.path] == nil && (planned[.host] != nil || planned[.port] != nil)
  }
}

/// A condition with its test, the glob compiled.
private struct CompiledTest: Sendable {
  let condition: ChaosCondition
  private let test: ChaosTest
  /// `nil` where nothing is matched, or where a pattern is malformed, which the planner refuses.
  private let glob: CompiledGlob?
  private let textKind: ChaosCondition.TextKind?
  /// The beginning of matching paths; `nil` if the glob is about all of the path.
  private let directory: String?
  /// The file or folder that the glob begins with, as an absolute path; `nil` if it may match anywhere.
  private let place: String?

  init(_ condition: ChaosCondition, _ test: ChaosTest, directory: String?) {
    self.condition = condition
    self.test = test
    let kind = condition.declaration.question.textKind
    guard case .pattern(let text) = test else {
      (glob, textKind, self.directory, place) = (nil, nil, nil, nil)
      return
    }
    guard kind != .path else {
      let path = PathGlob(text)
      self.directory = path.isRelative ? directory : nil
      (glob, textKind) = (CompiledGlob(path.text), kind)
      place = Self.place(of: (self.directory ?? "") + path.text)
      return
    }
    glob = CompiledGlob(kind == .host ? text.lowercased() : text)
    textKind = kind == .name && text.contains("/") ? .text : kind
    (self.directory, place) = (nil, nil)
  }

  /// Returns the file or folder that an absolute glob begins with; `nil` for the root folder.
  private static func place(of glob: String) -> String? {
    let literal = glob.prefix { !"*?[\\".contains($0) }
    guard literal.hasPrefix("/") else { return nil }
    let end = literal.count == glob.count ? literal.endIndex : literal.lastIndex(of: "/")
    return end.flatMap { $0 > literal.startIndex ? String(literal[..<$0]) : nil }
  }

  /// The relative cost of looking up the fact that it tests.
  var cost: Int {
    switch condition {
    case .arguments: 0
    case .size, .offset, .flags: 1
    case .path: 3
    default: 2
    }
  }

  /// Returns whether it holds for a call.
  func holds(for facts: inout some ChaosFacts, _ traits: SystemCallTraits) -> Bool {
    switch test {
    case .pattern where condition == .process:
      glob.map { facts.program().match($0, isAboutPath: textKind == .text) } ?? false
    // What links lead to takes longer to find out.
    case .pattern:
      facts.texts(of: condition).contains { matches($0) }
        || condition == .path && facts.linkedPaths(below: place).contains { matches($0) }
    case .number(let number): facts.number(of: condition).map { number.holds(for: $0) } ?? false
    case .kinds(let kinds): facts.descriptorKind().map { kinds.contains($0) } ?? false
    case .flags(let names): Self.hasFlags(names, &facts, traits)
    case .arguments(let arguments): arguments.allSatisfy { Self.holds($0, for: facts) }
    case .ordinal(let number): facts.processOrdinal == number
    }
  }

  private func matches(_ text: String) -> Bool {
    guard let glob else { return false }
    switch textKind {
    case .host: return glob.matches(text.lowercased())
    case .name: return glob.matches(Self.name(text))
    case .path:
      guard let directory else { return glob.matches(text) }
      return text.hasPrefix(directory) && glob.matches(String(text.dropFirst(directory.count)))
    case .text, nil: return glob.matches(text)
    }
  }

  private static func name(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private static func hasFlags(
    _ names: [String], _ facts: inout some ChaosFacts, _ traits: SystemCallTraits
  ) -> Bool {
    guard let kind = traits.flags?.kind ?? traits.flagKind, let word = facts.flags() else {
      return false
    }
    return names.allSatisfy { name in
      guard let flag = kind.table.first(where: { $0.name == name }) else { return false }
      return word & flag.bits == flag.bits
    }
  }

  private static func holds(
    _ argument: ChaosTest.ArgumentCondition, for facts: some ChaosFacts
  ) -> Bool {
    let value = Int64(bitPattern: facts.argument(argument.index))
    if argument.condition.holds(for: value) { return true }
    // What is a C int in the kernel has no upper half worth looking at where it is negative.
    return value > Int64(Int32.max) && value <= Int64(UInt32.max)
      && argument.condition.holds(for: Int64(Int32(truncatingIfNeeded: value)))
  }

  // MARK: - Near misses

  /// Returns the value that was met in place of the wanted one.
  func met(in facts: inout some ChaosFacts) -> String {
    switch test {
    case .pattern where condition == .process:
      return textKind == .text ? facts.program().pathText : facts.program().text
    case .pattern:
      let text = facts.texts(of: condition).first ?? "unknown"
      return condition.declaration.question.textKind == .name ? Self.name(text) : text
    case .number: return facts.number(of: condition).map { "\($0)" } ?? "unknown"
    case .kinds: return facts.descriptorKind()?.rawValue ?? "an unknown kind"
    case .flags: return "others"
    case .ordinal: return "\(facts.processOrdinal)"
    case .arguments: return ""
    }
  }

  /// The arguments that it does not hold for, and their values.
  func failingArguments(of facts: some ChaosFacts) -> [(key: String, met: String)] {
    guard case .arguments(let arguments) = test else { return [] }
    return arguments.filter { !Self.holds($0, for: facts) }.map {
      ("argument \($0.index)", "\(Int64(bitPattern: facts.argument($0.index)))")
    }
  }
}
