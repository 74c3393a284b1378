internal import Foundations
internal import OrderedCollections
internal import ScenarioModel

/// Names that a project's files define, so that editors complete them where they are used.
struct ProjectNames: Sendable {
  /// Factories and their aliases.
  var factories: [String] = []
  /// Traits of all factories.
  var traits: [String] = []
  /// Chaos entries.
  var chaos: [String] = []

  /// The definitions that the names make.
  var definitions: [(String, Value)] {
    var definitions: [(String, Value)] = []
    if !factories.isEmpty {
      definitions.append(("factoryName", Self.enumeration("A factory of this project.", factories)))
    }
    if !traits.isEmpty {
      definitions.append(("traitName", Self.enumeration("A trait of this project.", traits)))
    }
    if !chaos.isEmpty {
      definitions.append(("chaosName", Self.enumeration("A chaos entry of this project.", chaos)))
    }
    return definitions
  }

  /// Returns the shape of a key's value in place of any text; `nil` where the project's names
  /// restrict nothing.
  func shape(of key: String, in definition: String) -> SchemaShape? {
    switch (definition, key) {
    case ("buildGenerator", "$build"), ("factory", "extends"):
      return factories.isEmpty ? nil : .the("factoryName")
    case ("buildGenerator", "traits"), ("buildVariant", "traits"):
      return traits.isEmpty ? nil : .oneOrMore(.the("traitName"))
    case ("trait", "traits"),
      ("factory", "default_traits"):
      return traits.isEmpty ? nil : .list(of: .the("traitName"))
    case ("step", "apply"):
      return chaos.isEmpty ? nil : .map(.the("chaosApplication"), or: allOrChaosName)
    case ("chaosApplication", "name"), ("step", "revert"):
      return chaos.isEmpty ? nil : allOrChaosName
    case ("expect", "chaos"):
      guard !chaos.isEmpty else { return nil }
      return .map(of: .the("chaosCondition")).and([
        "propertyNames": SchemaShape.the("chaosName").schema
      ])
    default: return nil
    }
  }

  private var allOrChaosName: SchemaShape { .either(.words(["all"]), .the("chaosName")) }

  private static func enumeration(_ summary: String, _ words: [String]) -> Value {
    .map(SchemaShape.words(words).and(["description": .string(summary)]).keywords)
  }
}

extension ProjectNames {
  /// The names that files define or use, sorted, each once.
  init(of files: [ScenarioFile]) {
    let bodies = files.flatMap { [$0.defaults] + $0.scenarios.map(\.body) }
    let definitions = bodies.flatMap(\.factories) + files.flatMap(\.shared.factories)
    factories = Self.sorted(
      definitions.map(\.name.value) + definitions.flatMap { $0.aliases.map(\.value) })
    traits = Self.sorted(
      definitions.flatMap { $0.traits.map(\.name.value) + $0.enums.flatMap(\.traitNames) })
    let entries = bodies.flatMap(\.chaos) + files.flatMap(\.shared.chaos)
    chaos = Self.sorted(entries.map(\.name.value))
  }

  private static func sorted(_ names: [String]) -> [String] {
    Set(names).sorted()
  }
}

extension EnumDefinition {
  /// The traits that the values make.
  fileprivate var traitNames: [String] { values.map(\.key.value) }
}
