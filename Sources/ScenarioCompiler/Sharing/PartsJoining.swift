internal import Foundations
internal import ScenarioModel

/// Puts together what several files bring to one that uses them all; none of them wins over another.
struct PartsJoining {
  /// The kind of object that a name refers to in a message.
  private enum Kind: String {
    case factory
    case sequence
    case chaos = "chaos entry"
    case target
    case variable
  }

  private struct Name: Hashable {
    var kind: Kind
    var text: String
  }

  /// The names that the user defines itself, which win.
  private let own: Set<Name>
  private let hasTarget: Bool
  private var places: [Name: (range: SourceRange, usedAt: SourceRange)] = [:]
  private var taken: Set<SourceRange> = []
  private var paths: Set<String> = []

  private(set) var parts = SharedParts()
  private(set) var diagnostics: [Diagnostic] = []

  init(own: ScenarioBody) {
    hasTarget = own.target?.hasCommand ?? false
    self.own = Set(
      own.factories.map { Name(kind: .factory, text: $0.name.value) }
        + own.targets.map { Name(kind: .target, text: $0.name.value) }
        + own.variables.map { Name(kind: .variable, text: $0.name.value) }
        + own.sequences.map { Name(kind: .sequence, text: $0.name.value) }
        + own.chaos.filter(\.isNamed).map { Name(kind: .chaos, text: $0.name.value) })
  }

  /// Adds what one file brings; what has come by another way already is the same thing.
  mutating func add(_ other: SharedParts, _ usedAt: SourceRange) {
    for file in other.files where paths.insert(file.path).inserted {
      parts.files.append(file)
    }
    add(other.target, usedAt)
    for target in other.targets where accepts(.target, target.name, usedAt) {
      parts.targets.append(target)
    }
    for variable in other.variables where accepts(.variable, variable.name, usedAt) {
      parts.variables.append(variable)
    }
    for factory in other.factories where accepts(.factory, factory.name, usedAt) {
      parts.factories.append(factory)
    }
    for sequence in other.sequences where accepts(.sequence, sequence.name, usedAt) {
      parts.sequences.append(sequence)
    }
    for response in other.responses where taken.insert(response.range).inserted {
      parts.responses.append(response)
    }
    for entry in other.chaos {
      let isNew =
        entry.isNamed
        ? accepts(.chaos, entry.name, usedAt) : taken.insert(entry.range).inserted
      if isNew { parts.chaos.append(entry) }
    }
    parts.secrets += other.secrets
    parts.namesRead.formUnion(other.namesRead)
  }

  /// Returns whether a definition is new; one that differs from another of the same name is reported.
  private mutating func accepts(
    _ kind: Kind, _ name: Located<String>, _ usedAt: SourceRange
  ) -> Bool {
    let key = Name(kind: kind, text: name.value)
    guard !own.contains(key) else { return false }
    guard let other = places[key] else {
      places[key] = (name.range, usedAt)
      return true
    }
    guard other.range != name.range else { return false }
    diagnostics.append(
      Diagnostic(
        "the \(kind.rawValue) \"\(name.value)\" is defined in two included files:"
          + " \"\(other.range.file)\" and \"\(name.range.file)\"", code: .badUse,
        at: usedAt, help: "rename one of them, or define it in this file, which overrides both",
        notes: [
          .init("it is defined here", at: other.range), .init("and here", at: name.range),
        ]))
    return false
  }

  private mutating func add(_ target: TargetSettings?, _ usedAt: SourceRange) {
    guard let target, !hasTarget else { return }
    guard let other = parts.target else {
      parts.target = target
      return
    }
    guard other.commandRange != target.commandRange else { return }
    diagnostics.append(
      Diagnostic(
        "two included files define a target: \"\(other.commandRange.file)\" and"
          + " \"\(target.commandRange.file)\"", code: .badUse,
        at: usedAt, help: "define the target in this file, which overrides both",
        notes: [
          .init("one is defined here", at: other.commandRange),
          .init("the other one is defined here", at: target.commandRange),
        ]))
  }
}
