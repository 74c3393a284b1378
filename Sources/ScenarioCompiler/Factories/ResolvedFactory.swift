internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel

/// A factory with all that it extends, ready to be asked for traits.
final class ResolvedFactory {
  /// The definitions from the first that is extended down to the factory's own.
  let chain: [FactoryDefinition]
  let name: String
  let traits: OrderedDictionary<String, TraitDefinition>
  /// The field of the enumeration that a trait belongs to.
  let enumerations: [String: String]
  /// The factory that declares a trait.
  let traitOwners: [String: String]
  let params: OrderedDictionary<String, (field: DataField, owner: String)>

  private lazy var knownTraits = KnownNames(traits.keys)

  init(chain: [FactoryDefinition]) {
    self.chain = chain
    name = chain.last?.name.value ?? ""
    var traits: OrderedDictionary<String, TraitDefinition> = [:]
    var enumerations: [String: String] = [:]
    var owners: [String: String] = [:]
    var params: OrderedDictionary<String, (field: DataField, owner: String)> = [:]
    for factory in chain {
      for enumeration in factory.enums {
        for value in enumeration.values {
          let field = DataField(key: enumeration.field, value: value.value)
          traits[value.key.value] = TraitDefinition(name: value.key, fields: [field])
          enumerations[value.key.value] = enumeration.field.value
          owners[value.key.value] = factory.name.value
        }
      }
      for trait in factory.traits {
        traits[trait.name.value] = trait
        enumerations[trait.name.value] = nil
        owners[trait.name.value] = factory.name.value
      }
      for param in factory.params { params[param.key.value] = (param, factory.name.value) }
    }
    self.traits = traits
    self.enumerations = enumerations
    traitOwners = owners
    self.params = params
  }

  /// The names of all fields, those that only a trait brings in included.
  var allFieldNames: [String] {
    var names: OrderedSet<String> = []
    for factory in chain {
      for field in factory.fields { names.append(field.key.value) }
    }
    for trait in traits.values {
      for field in trait.fields { names.append(field.key.value) }
    }
    for case .set(let fields) in chain.flatMap(\.after) + traits.values.flatMap(\.after) {
      // A path leads into a field that stands elsewhere.
      for field in fields where !field.key.value.isPathIntoField { names.append(field.key.value) }
    }
    return names.elements
  }

  /// The placeholder of names that only a file knows.
  static let anyName = "*"

  /// Fields and params: what expressions can name.
  var visibleNames: [String] {
    var names = allFieldNames + Array(params.keys)
    let bases = chain.map(\.construct) + traits.values.map(\.construct)
    for base in bases.compactMap({ $0?.base }) {
      if case .map(let fields) = base.content {
        names += fields.map(\.key.value)
      } else {
        names.append(Self.anyName)
      }
    }
    return names
  }

  var construct: ConstructRule? { chain.last { $0.construct != nil }?.construct }
  var readonly: [Located<String>] { chain.flatMap(\.readonly) }
  var types: [FieldType] { chain.flatMap(\.types) }
  var schema: SchemaReference? { chain.last { $0.schema != nil }?.schema }
  var allowsExtra: Bool { chain.last { $0.allowsExtra != nil }?.allowsExtra ?? false }
  var after: [AfterRule] { chain.flatMap(\.after) }

  func trait(_ name: Located<String>) throws(Diagnostic) -> TraitDefinition {
    guard let trait = traits[name.value] else {
      let label = enumerations.isEmpty ? "its traits" : "its traits and values of enums"
      throw Diagnostic(
        "the factory \"\(self.name)\" has no trait \"\(name.value)\"", code: .unknownTrait,
        at: name.range,
        help: knownTraits.help(for: name.value, label: label),
        notes: chain.last.map { [.init("\"\(self.name)\" is defined here", at: $0.name.range)] }
          ?? [])
    }
    return trait
  }

  /// The greatest depth to which traits may name each other.
  static let traitNestingLimit = 100

  /// The traits that apply, in order: each one's own `traits` before its fields, depth first; one
  /// that is met again counts at its last place.
  func expand(_ names: [Located<String>]) throws(Diagnostic) -> [TraitDefinition] {
    guard !names.isEmpty else { return [] }
    var depths: [String: Int] = [:]
    var path: [Located<String>] = []
    _ = try depth(of: names, known: &depths, along: &path)
    var reversed: OrderedDictionary<String, TraitDefinition> = [:]
    collect(names, into: &reversed)
    let result = Array(reversed.values.elements.reversed())
    try checkExclusive(result, asked: names)
    return result
  }

  /// Returns the depth to which traits name others; finds unknown ones, and those that lead back to
  /// themselves.
  ///
  /// Each is visited once: the ways that lead to it may be more than anyone could go.
  private func depth(
    of names: [Located<String>], known: inout [String: Int], along path: inout [Located<String>]
  ) throws(Diagnostic) -> Int {
    var deepest = 0
    for name in names {
      let trait = try trait(name)
      if let start = path.firstIndex(where: { $0.value == name.value }) {
        throw traitCycle(Array(path[start...]) + [name])
      }
      if known[name.value] == nil, path.count < Self.traitNestingLimit {
        path.append(name)
        known[name.value] = try depth(of: trait.traits, known: &known, along: &path)
        path.removeLast()
      }
      let own = (known[name.value] ?? Self.traitNestingLimit) + 1
      guard own <= Self.traitNestingLimit else {
        throw Diagnostic(
          "traits of \"\(self.name)\" use each other deeper than \(Self.traitNestingLimit)",
          code: .tooLarge, at: name.range, help: "list some of them where the object is built")
      }
      deepest = max(deepest, own)
    }
    return deepest
  }

  /// Gathers from the last to the first: what was met before stands behind, with all that it names.
  private func collect(
    _ names: [Located<String>], into reversed: inout OrderedDictionary<String, TraitDefinition>
  ) {
    for name in names.reversed() where reversed[name.value] == nil {
      guard let trait = traits[name.value] else { continue }
      reversed[name.value] = trait
      collect(trait.traits, into: &reversed)
    }
  }

  /// Checks that an object has only one of the values of each enumeration.
  private func checkExclusive(
    _ applied: [TraitDefinition], asked: [Located<String>]
  ) throws(Diagnostic) {
    guard !enumerations.isEmpty else { return }
    var chosen: [String: TraitDefinition] = [:]
    for trait in applied {
      guard let field = enumerations[trait.name.value] else { continue }
      guard let other = chosen[field] else {
        chosen[field] = trait
        continue
      }
      func place(_ trait: TraitDefinition) -> SourceRange {
        asked.last { $0.value == trait.name.value }?.range ?? trait.name.range
      }
      throw Diagnostic(
        "\"\(field)\" is set by both \"\(other.name.value)\" and \"\(trait.name.value)\"",
        code: .conflictingTraits, at: place(trait),
        help: "use only one of them: an object has one \"\(field)\"",
        notes: [.init("\"\(other.name.value)\" is used here", at: place(other))])
    }
  }

  private func traitCycle(_ chain: [Located<String>]) -> Diagnostic {
    let names = chain.map(\.value).joined(separator: " → ")
    return Diagnostic(
      "the traits of \"\(name)\" use each other in a cycle: \(names)",
      code: .factoryCycle, at: chain.last?.range,
      help: "remove one of the names from its \"traits\"",
      notes: chain.dropFirst().map { .init("\"\($0.value)\" is named here", at: $0.range) })
  }
}
