internal import OrderedCollections

/// The plan of a selection set for each type of object, made once for all objects of a result.
final class GraphQLSelectionPlan {
  /// A key of the result.
  struct Entry {
    /// The key.
    var key: String
    /// The first field with that key, whose arguments count.
    var field: GraphQLField
    /// Its definition in the schema; `nil` for what no valid document asks for.
    var definition: GraphQLFieldDefinition?
    /// True if it may come later than the rest.
    var isDeferred: Bool
    /// The plan of all fields with that key below it.
    var below: GraphQLSelectionPlan
  }

  private let reader: GraphQLSelectionReader
  private let selections: [GraphQLSelection]
  private var entries: [String: [Entry]] = [:]
  private var candidates: [String: [GraphQLType]] = [:]
  private var takers: [String: [String: String]] = [:]

  init(_ selections: [GraphQLSelection], _ reader: GraphQLSelectionReader) {
    self.selections = selections
    self.reader = reader
  }

  /// The fields that are asked of an object, in the order of the result.
  ///
  /// - Parameter budget: how much work is left; beyond it nothing is asked.
  func entries(of object: GraphQLType, _ budget: inout Int) -> [Entry] {
    if let known = entries[object.name.text] { return known }
    guard budget > 0 else { return [] }
    let found = reader.fields(selections, of: object)
    budget -= found.stepCount
    let asked = found.byKey.compactMap { key, fields in
      fields.first.map { field in
        Entry(
          key: key, field: field, definition: reader.schema.field(field.name.text, of: object),
          isDeferred: !found.atOnce.contains(key),
          below: GraphQLSelectionPlan(fields.flatMap(\.selections), reader))
      }
    }
    entries[object.name.text] = asked
    return asked
  }

  /// The types of which an object of an abstract type is made: those that fragments mean, or all if none means some.
  func candidates(for type: GraphQLType) -> [GraphQLType] {
    if let known = candidates[type.name.text] { return known }
    let schema = reader.schema
    let types = schema.possibleTypes(of: type).compactMap { schema.types[$0] }
    let meant = reader.conditions(in: selections).compactMap { schema.types[$0] }.map { condition in
      types.filter { schema.isPossible($0.name.text, of: condition) }.map(\.name.text)
    }.filter { $0.count < types.count }
    let names = Set(meant.joined())
    let found = names.isEmpty ? types : types.filter { names.contains($0.name.text) }
    candidates[type.name.text] = found
    return found
  }

  /// The entries of an object that take a value which an argument gives, by the value's name: the only one whose own
  /// objects have such a field, or none (an empty key) where several have.
  ///
  /// - Parameter entries: those of the object.
  func takers(of object: GraphQLType, _ entries: [Entry]) -> [String: String] {
    if let known = takers[object.name.text] { return known }
    var found: [String: String] = [:]
    for entry in entries {
      let type = entry.definition.flatMap { reader.schema.type(of: $0.type) }
      for field in type?.fields ?? [] {
        found[field.name.text] = found[field.name.text] == nil ? entry.key : ""
      }
    }
    takers[object.name.text] = found
    return found
  }
}
