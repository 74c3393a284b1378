internal import Foundations
internal import OrderedCollections
internal import ScenarioModel

/// The factories that a case can build from, by their names and aliases.
struct FactoryTable {
  private let definitions: OrderedDictionary<String, FactoryDefinition>
  private var resolved: [String: ResolvedFactory] = [:]
  private let owners: [String: String]
  /// The names and aliases.
  let names: [String]
  private lazy var knownNames = KnownNames(names)

  /// Takes definitions by precedence: the first of a name wins.
  init(_ definitions: [FactoryDefinition]) {
    let byName = OrderedDictionary(definitions.map { ($0.name.value, $0) }) { first, _ in first }
    self.definitions = byName
    var owners: [String: String] = [:]
    for factory in byName.values {
      for alias in factory.aliases where owners[alias.value] == nil && byName[alias.value] == nil {
        owners[alias.value] = factory.name.value
      }
    }
    self.owners = owners
    names = byName.keys.elements + owners.keys.sorted()
  }

  var all: [FactoryDefinition] { definitions.values.elements }

  /// The factory by its name or an alias, with everything that it extends.
  mutating func factory(_ name: Located<String>) throws(Diagnostic) -> ResolvedFactory {
    let own = owners[name.value] ?? name.value
    if let known = resolved[own] { return known }
    guard let definition = definitions[own] else {
      throw Diagnostic(
        "unknown factory \"\(name.value)\"", code: .unknownFactory, at: name.range,
        help: knownNames.help(for: name.value, label: "known factories"))
    }
    let factory = ResolvedFactory(chain: try chain(of: definition))
    resolved[own] = factory
    return factory
  }

  /// The maximum length of a chain of factories that extend one another.
  static let extendsLimit = 100

  /// The definitions from the one that extends nothing down to this one.
  private mutating func chain(
    of definition: FactoryDefinition
  ) throws(Diagnostic) -> [FactoryDefinition] {
    var chain = [definition]
    var names: [Located<String>] = [definition.name]
    while let parent = chain.last?.parent {
      let own = owners[parent.value] ?? parent.value
      names.append(parent)
      guard !chain.contains(where: { $0.name.value == own }) else {
        throw Diagnostic(
          "the factory \"\(definition.name.value)\" extends itself: "
            + names.map(\.value).joined(separator: " → "),
          code: .factoryCycle, at: parent.range, help: "remove one \"extends\"",
          notes: names.dropFirst().dropLast().map {
            .init("\"\($0.value)\" is extended here", at: $0.range)
          })
      }
      guard let next = definitions[own] else {
        // A factory cannot extend one that extends it.
        let extended = Set(chain.flatMap { [$0.name.value] + $0.aliases.map(\.value) })
        throw Diagnostic(
          "unknown factory \"\(parent.value)\"", code: .unknownFactory, at: parent.range,
          help: knownNames.help(
            for: parent.value, label: "known factories", except: extended))
      }
      guard chain.count <= Self.extendsLimit else {
        throw Diagnostic(
          "the factory \"\(definition.name.value)\" extends more than \(Self.extendsLimit) others",
          code: .tooLarge, at: definition.name.range,
          help: "merge some of them, and move common fields into traits")
      }
      chain.append(next)
    }
    return chain.reversed()
  }

  /// Aliases that name another factory as well, or that two factories have.
  var ambiguousAliases: [Diagnostic] {
    var places: [String: Located<String>] = [:]
    for factory in all { places[factory.name.value] = factory.name }
    var result: [Diagnostic] = []
    for factory in all {
      for alias in factory.aliases {
        guard let other = places[alias.value] else {
          places[alias.value] = alias
          continue
        }
        result.append(
          Diagnostic(
            "the alias \"\(alias.value)\" names two factories", code: .duplicateName,
            at: alias.range,
            help: "give each its own alias",
            notes: [.init("the first one is here", at: other.range)]))
      }
    }
    return result
  }
}
