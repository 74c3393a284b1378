internal import Foundations
internal import ScenarioModel

/// A map with keys of the language, declared once.
struct MapGrammar<Owner>: Sendable {
  /// The definition for the JSON Schema and the book's reference.
  let definition: LanguageDefinition
  /// Its keys in the order of the alphabet.
  let keys: [String]
  /// The names of version 1.
  let former: FormerNames
  /// Its keys with all that belongs to them, in the order of the reference.
  let fields: [Field<Owner>]

  /// Declares a map.
  ///
  /// - Parameters:
  ///   - name: How other parts of the language name it.
  ///   - summary: One or two sentences in Markdown.
  ///   - rules: Which of the keys go together.
  ///   - mayBeNull: Whether `null` stands for the empty map.
  init(
    _ name: String, _ summary: String, mayBeNull: Bool = false,
    rules: (_ keys: [String]) -> [KeyRule] = { _ in [] },
    @FieldBuilder<Owner> fields: () -> [Field<Owner>]
  ) {
    self.fields = fields()
    keys = self.fields.map(\.key.name).sorted()
    former = FormerNames(self.fields.map(\.key))
    definition = .map(
      name, summary, self.fields.map(\.key), rules: rules(keys), mayBeNull: mayBeNull)
  }

  /// Declares a map.
  init(
    _ name: String, _ summary: String, rules: [KeyRule], mayBeNull: Bool = false,
    @FieldBuilder<Owner> fields: () -> [Field<Owner>]
  ) {
    self.init(name, summary, mayBeNull: mayBeNull, rules: { _ in rules }, fields: fields)
  }

  /// The keys without some of them.
  func keys(without others: [String]) -> [String] {
    keys.filter { !others.contains($0) }
  }

  /// Returns whether the map has a key, be it under the name that version 1 had for it.
  func knows(_ key: String) -> Bool {
    keys.contains(key) || former.successor(of: key) != nil
  }
}

/// Collects the keys of a map, each of which the compiler checks by itself.
@resultBuilder
enum FieldBuilder<Owner> {
  static func buildExpression(_ field: Field<Owner>) -> [Field<Owner>] { [field] }
  /// Keys that several maps have.
  static func buildExpression(_ fields: [Field<Owner>]) -> [Field<Owner>] { fields }
  static func buildBlock(_ fields: [Field<Owner>]...) -> [Field<Owner>] { fields.flatMap(\.self) }
}

/// The maps of the language, each key declared once.
///
/// A new key is one `Field` in the map that has it, and a property of the model where its value goes; a condition of
/// `where:` is declared as a `ChaosCondition`, from which its field follows. Where the
/// meaning of a key hangs on other keys, its field has no reader, and the function that opens the map reads it.
enum Grammar {}

extension MapGrammar {
  /// Reads one member of a map, where the order in which an author has written them counts.
  func read(_ member: YAMLMember, by decoder: inout ScenarioDecoder, into owner: inout Owner) {
    _ = fields.first { $0.key.name == member.key.value }?.read?(&decoder, member, &owner)
  }
}

extension ScenarioDecoder {
  /// Opens a map, and reads into a value what its keys say, in their declared order; `nil` if there is no map.
  ///
  /// - Parameters:
  ///   - subject: How messages call the map.
  ///   - elsewhere: Help for keys that stand in other places of the language.
  mutating func decode<Owner>(
    _ node: YAMLNode, as grammar: MapGrammar<Owner>, subject: String,
    elsewhere: [String: String] = [:], into owner: inout Owner
  ) -> MappingReader? {
    guard
      let reader = mapping(node, as: grammar, subject: subject, elsewhere: elsewhere)
    else { return nil }
    read(reader, as: grammar, into: &owner)
    return reader
  }

  /// Reads what the keys of an open map say, in their declared order; false if one that the map needs is missing, or
  /// cannot be read.
  @discardableResult
  mutating func read<Owner>(
    _ reader: MappingReader, as grammar: MapGrammar<Owner>, into owner: inout Owner
  ) -> Bool {
    var isComplete = true
    for field in grammar.fields {
      guard let read = field.read else { continue }
      if let member = reader.member(field.key.name) {
        let isRead = read(&self, member, &owner)
        isComplete = isComplete && (isRead || field.example == nil)
      } else if let example = field.example {
        _ = required(field.key.name, in: reader, example: example)
        isComplete = false
      }
    }
    return isComplete
  }

  /// Reads a map whose keys depend on nothing else; `nil` if there is no map, or not all that it needs.
  mutating func decode<Owner>(
    _ node: YAMLNode, as grammar: MapGrammar<Owner>, subject: String, from initial: Owner
  ) -> Owner? {
    var owner = initial
    guard let reader = mapping(node, as: grammar, subject: subject) else { return nil }
    return read(reader, as: grammar, into: &owner) ? owner : nil
  }
}
