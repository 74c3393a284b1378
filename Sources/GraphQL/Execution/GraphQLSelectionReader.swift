internal import Foundations
internal import OrderedCollections

/// Reads the fields that a selection set selects of an object (specification of October 2021,
/// section 6.3.2, `CollectFields`).
struct GraphQLSelectionReader {
  let schema: GraphQLSchema
  let fragments: [String: GraphQLFragment]
  let variables: [String: Value]

  init(schema: GraphQLSchema, document: GraphQLDocument, variables: [String: Value]) {
    self.schema = schema
    self.variables = variables
    fragments = Dictionary(
      document.fragments.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The fields by their keys in the response, in the order in which they first appear.
  func fields(_ selections: [GraphQLSelection], of object: GraphQLType) -> Fields {
    var collection = Collection()
    collect(selections, object, &collection)
    return Fields(
      byKey: collection.fields, atOnce: collection.atOnce, stepCount: collection.stepCount)
  }

  /// The fields of a selection set, and what it took to find them.
  struct Fields {
    var byKey: OrderedDictionary<String, [GraphQLField]>
    /// The keys that are sure to be asked for, and not put off.
    var atOnce: Set<String>
    /// The number of selections that were read.
    var stepCount: Int
  }

  private struct Collection {
    var fields: OrderedDictionary<String, [GraphQLField]> = [:]
    var atOnce: Set<String> = []
    var seen: Set<String> = []
    var stepCount = 0
  }

  private func collect(
    _ selections: [GraphQLSelection], _ object: GraphQLType, _ collection: inout Collection,
    isDeferred: Bool = false
  ) {
    collection.stepCount += selections.count
    for selection in selections {
      switch selection {
      case .field(let field):
        guard isIncluded(field.directives) else { continue }
        collection.fields[field.responseKey, default: []].append(field)
        if !isDeferred, !isPutOff(field.directives) { collection.atOnce.insert(field.responseKey) }
      case .spread(let spread):
        guard isIncluded(spread.directives), collection.seen.insert(spread.name.text).inserted,
          let fragment = fragments[spread.name.text], applies(fragment.condition.text, object)
        else {
          continue
        }
        collect(
          fragment.selections, object, &collection,
          isDeferred: isDeferred || isPutOff(spread.directives))
      case .inline(let inline):
        guard isIncluded(inline.directives),
          inline.condition.map({ applies($0.text, object) }) ?? true
        else {
          continue
        }
        collect(
          inline.selections, object, &collection,
          isDeferred: isDeferred || isPutOff(inline.directives))
      }
    }
  }

  /// The names of the types on which included fragments of a selection set depend, as they first appear.
  func conditions(in selections: [GraphQLSelection]) -> OrderedSet<String> {
    var found: OrderedSet<String> = []
    var seen: Set<String> = []
    collectConditions(selections, &found, &seen)
    return found
  }

  private func collectConditions(
    _ selections: [GraphQLSelection], _ found: inout OrderedSet<String>, _ seen: inout Set<String>
  ) {
    for selection in selections {
      switch selection {
      case .field: continue
      case .spread(let spread):
        guard isIncluded(spread.directives), seen.insert(spread.name.text).inserted,
          let fragment = fragments[spread.name.text]
        else { continue }
        found.append(fragment.condition.text)
        collectConditions(fragment.selections, &found, &seen)
      case .inline(let inline):
        guard isIncluded(inline.directives) else { continue }
        if let condition = inline.condition { found.append(condition.text) }
        collectConditions(inline.selections, &found, &seen)
      }
    }
  }

  private func applies(_ condition: String, _ object: GraphQLType) -> Bool {
    guard let type = schema.types[condition] else { return false }
    return schema.isPossible(object.name.text, of: type)
  }

  /// `@defer`, unless its `if` is false; `@skip` and `@include` by a variable that is not known.
  private func isPutOff(_ directives: [GraphQLDirective]) -> Bool {
    directives.contains { directive in
      let condition = directive.arguments.first { $0.name.text == "if" }
      let flag = condition?.value.value(with: variables)
      switch directive.name.text {
      case "defer": return flag != .bool(false)
      case "skip", "include": return condition != nil && flag == nil
      default: return false
      }
    }
  }

  /// `@skip` and `@include`.
  private func isIncluded(_ directives: [GraphQLDirective]) -> Bool {
    directives.allSatisfy { directive in
      let name = directive.name.text
      guard name == "skip" || name == "include",
        let condition = directive.arguments.first(where: { $0.name.text == "if" }),
        case .bool(let flag) = condition.value.value(with: variables)
      else {
        return true
      }
      return flag == (name == "include")
    }
  }

  /// The values of a field's arguments, defaults filled in.
  func arguments(
    of field: GraphQLField, _ definition: GraphQLFieldDefinition
  ) -> [String: Value] {
    var values: [String: Value] = [:]
    for wanted in definition.arguments {
      let given = field.arguments.first { $0.name.text == wanted.name.text }
      let value = given?.value.value(with: variables) ?? wanted.defaultValue?.value(with: [:])
      if let value { values[wanted.name.text] = value }
    }
    return values
  }
}
