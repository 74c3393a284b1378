internal import OrderedCollections
internal import ScenarioModel

/// The factories that a case can build from.
struct FactoryTable: Sendable {
  private let definitions: OrderedDictionary<String, FactoryDefinition>

  /// Takes definitions by precedence: the first of a name wins.
  init(_ definitions: [FactoryDefinition]) {
    self.definitions = OrderedDictionary(definitions.map { ($0.name.value, $0) }) { first, _ in
      first
    }
  }

  var names: [String] { definitions.keys.elements }
  var all: [FactoryDefinition] { definitions.values.elements }

  func factory(_ name: Located<String>) throws(Diagnostic) -> FactoryDefinition {
    guard let definition = definitions[name.value] else {
      throw Diagnostic(
        "unknown factory \"\(name.value)\"", at: name.range,
        help: Suggestion.help(for: name.value, in: names, label: "known factories"))
    }
    return definition
  }
}

extension FactoryDefinition {
  /// The names of all fields, those that only a trait brings in included.
  var allFieldNames: [String] {
    let own = fields + traits.flatMap(\.fields)
    return OrderedSet(own.map(\.key.value)).elements
  }

  func trait(_ name: Located<String>) throws(Diagnostic) -> TraitDefinition {
    guard let trait = traits.first(where: { $0.name.value == name.value }) else {
      throw Diagnostic(
        "the factory \"\(self.name.value)\" has no trait \"\(name.value)\"", at: name.range,
        help: Suggestion.help(for: name.value, in: traits.map(\.name.value), label: "its traits"))
    }
    return trait
  }

  /// The traits that apply, in order: each one's own `traits` before its fields, depth first; one
  /// that is met again counts at its last place.
  func expand(_ names: [Located<String>]) throws(Diagnostic) -> [TraitDefinition] {
    var result: OrderedDictionary<String, TraitDefinition> = [:]
    var path: [Located<String>] = []
    try expand(names, into: &result, along: &path)
    return result.values.elements
  }

  /// The depth is bounded by the number of traits: one that is met on its own path is an error.
  private func expand(
    _ names: [Located<String>], into result: inout OrderedDictionary<String, TraitDefinition>,
    along path: inout [Located<String>]
  ) throws(Diagnostic) {
    for name in names {
      let trait = try trait(name)
      if let start = path.firstIndex(where: { $0.value == name.value }) {
        throw traitCycle(Array(path[start...]) + [name])
      }
      path.append(name)
      try expand(trait.traits, into: &result, along: &path)
      path.removeLast()
      result.removeValue(forKey: name.value)
      result[name.value] = trait
    }
  }

  private func traitCycle(_ chain: [Located<String>]) -> Diagnostic {
    let names = chain.map(\.value).joined(separator: " → ")
    return Diagnostic(
      "the traits of \"\(name.value)\" name each other in a circle: \(names)",
      at: chain.last?.range, help: "take one of the names out of its \"traits\"",
      notes: chain.dropFirst().map { .init("\"\($0.value)\" is named here", at: $0.range) })
  }
}
