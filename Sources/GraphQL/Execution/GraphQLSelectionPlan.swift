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

  init(_ selections: [GraphQLSelection], _ reader: GraphQLSelectionReader) {
    self.selections = selections
    self.reader = reader
  }

  /// The number of fields that are asked of every object: those that stand in no fragment.
  var commonFieldCount: Int {
    selections.count { if case .field = $0 { true } else { false } }
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
}
