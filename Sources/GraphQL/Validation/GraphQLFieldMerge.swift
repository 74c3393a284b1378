internal import OrderedCollections

/// Whether fields with the same key in a response can be one (specification of October 2021, section
/// 5.3.2).
///
/// Works on whole groups of fields instead of on pairs, so that its time does not explode.
struct GraphQLFieldMerge {
  private struct Entry {
    var field: GraphQLField
    var parent: GraphQLType
    var type: GraphQLTypeReference?
  }

  /// The maximum number of fields that are compared, fragments expanded; documents beyond it are
  /// not judged.
  static let budget = 200_000

  let schema: GraphQLSchema
  let fragments: [String: GraphQLFragment]
  /// The rest of the budget.
  private(set) var budget: Int
  private var found: [GraphQLError] = []
  /// The fields without others of their name that were already checked: whatever surrounds them,
  /// the result below them is the same.
  private var seenAlone: Set<Place> = []

  private struct Place: Hashable {
    var location: GraphQLLocation
    var parent: String
  }

  init(schema: GraphQLSchema, fragments: [String: GraphQLFragment], budget: Int) {
    self.schema = schema
    self.fragments = fragments
    self.budget = budget
  }

  /// The conflicts below selections; the fragments must have no cycles.
  mutating func errors(
    _ selections: [GraphQLSelection], on type: GraphQLType
  ) -> [GraphQLError] {
    let entries = entries(of: selections, on: type)
    checkShapes(entries)
    checkSame(entries)
    return found
  }

  /// The fields of a selection set, fragments opened up.
  mutating func rootFields(
    _ selections: [GraphQLSelection], on type: GraphQLType
  ) -> [GraphQLField] {
    entries(of: selections, on: type).map(\.field)
  }

  // MARK: - Fields

  private mutating func entries(
    of selections: [GraphQLSelection], on type: GraphQLType
  ) -> [Entry] {
    var entries: [Entry] = []
    var seen: Set<String> = []
    collect(selections, on: type, &entries, &seen)
    return entries
  }

  private mutating func collect(
    _ selections: [GraphQLSelection], on type: GraphQLType, _ entries: inout [Entry],
    _ seen: inout Set<String>
  ) {
    for selection in selections where budget > 0 {
      budget -= 1
      switch selection {
      case .field(let field):
        entries.append(
          Entry(field: field, parent: type, type: schema.field(field.name.text, of: type)?.type))
      case .spread(let spread):
        guard seen.insert(spread.name.text).inserted, let fragment = fragments[spread.name.text],
          let condition = schema.types[fragment.condition.text]
        else {
          continue
        }
        collect(fragment.selections, on: condition, &entries, &seen)
      case .inline(let inline):
        let condition = inline.condition.map { schema.types[$0.text] } ?? type
        if let condition { collect(inline.selections, on: condition, &entries, &seen) }
      }
    }
  }

  private mutating func children(of entries: [Entry]) -> [Entry] {
    entries.flatMap { entry -> [Entry] in
      guard let type = entry.type.flatMap({ schema.type(of: $0) }) else { return [] }
      return self.entries(of: entry.field.selections, on: type)
    }
  }

  private func groups(_ entries: [Entry]) -> [[Entry]] {
    var order: [String] = []
    var groups: [String: [Entry]] = [:]
    for entry in entries {
      let key = entry.field.responseKey
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(entry)
    }
    return order.compactMap { groups[$0] }
  }

  // MARK: - Rules

  /// `SameResponseShape`, for all fields that share a key, whatever object they are of.
  private mutating func checkShapes(_ entries: [Entry]) {
    for group in groups(entries) where group.count > 1 && budget > 0 {
      let first = group[0]
      for other in group.dropFirst() {
        guard let type = first.type, let otherType = other.type, !hasSameShape(type, otherType)
        else {
          continue
        }
        report(
          first, other,
          "they return conflicting types \"\(type.text)\" and \"\(otherType.text)\"")
        break
      }
      checkShapes(children(of: group))
    }
    guard budget > 0 else { return }
    for group in groups(entries) where group.count == 1 { checkShapes(children(of: group)) }
  }

  private func hasSameShape(_ left: GraphQLTypeReference, _ right: GraphQLTypeReference) -> Bool {
    switch (left, right) {
    case (.nonNull(let left), .nonNull(let right)), (.list(let left), .list(let right)):
      return hasSameShape(left, right)
    case (.named(let left), .named(let right)):
      guard let leftType = schema.types[left.text], let rightType = schema.types[right.text] else {
        return true
      }
      guard leftType.isLeaf || rightType.isLeaf else { return true }
      return left.text == right.text
    default:
      return false
    }
  }

  /// `FieldsInSetCanMerge`: the same field with the same arguments wherever it may be of one object.
  private mutating func checkSame(_ entries: [Entry]) {
    for group in groups(entries) where budget > 0 {
      let shared = group.filter { $0.parent.kind != .object }
      var owned: OrderedDictionary<String, [Entry]> = [:]
      for entry in group where entry.parent.kind == .object {
        owned[entry.parent.name.text, default: []].append(entry)
      }
      let sets = owned.isEmpty ? [shared] : owned.values.map { shared + $0 }
      for set in sets {
        if let first = set.first {
          for other in set.dropFirst() {
            guard let reason = difference(first.field, other.field) else { continue }
            report(first, other, reason)
            break
          }
        }
        if set.count == 1, let alone = set.first {
          let place = Place(location: alone.field.location, parent: alone.parent.name.text)
          guard seenAlone.insert(place).inserted else { continue }
        }
        checkSame(children(of: set))
      }
    }
  }

  private func difference(_ left: GraphQLField, _ right: GraphQLField) -> String? {
    guard left.name.text == right.name.text else {
      return "\"\(left.name.text)\" and \"\(right.name.text)\" are different fields"
    }
    func texts(_ field: GraphQLField) -> Set<String> {
      Set(field.arguments.map { "\($0.name.text): \($0.value.sortedText)" })
    }
    return texts(left) == texts(right) ? nil : "they have differing arguments"
  }

  private mutating func report(_ left: Entry, _ right: Entry, _ reason: String) {
    let error = GraphQLError(
      """
      Fields "\(left.field.responseKey)" conflict because \(reason). Use different aliases on the \
      fields to fetch both if this was intentional.
      """,
      at: [left.field.location, right.field.location])
    if found.count < GraphQLLimits.errors, !found.contains(error) { found.append(error) }
  }
}
