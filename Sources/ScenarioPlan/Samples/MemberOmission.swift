internal import Foundations
internal import OrderedCollections
internal import Patterns

/// Leaves out the members of a value that are not as a schema says.
struct MemberOmission {
  /// The maximum number of times that a value is compared with the schema.
  private static let limit = 100

  private let schema: JSONSchema
  private let definition: String?

  /// - Parameter definition: a reference to the part of the schema that is meant; `nil` is all of it.
  init(_ schema: JSONSchema, _ definition: String?) {
    self.schema = schema
    self.definition = definition
  }

  /// Returns what remains of a value; `nil` if it needs the members.
  ///
  /// - Parameter violation: the first one of the value.
  /// - Throws: If comparing takes too much work.
  func rest(of value: Value, _ violation: JSONSchemaViolation) throws(PatternError) -> Value? {
    var needed: Set<String> = []
    var removed: Set<String> = []
    var current = value
    var next = violation
    for _ in 0..<Self.limit {
      // The member was not one that may be left out: the one around it may be.
      if let place = next.missingPlace, removed.contains(place) {
        needed.insert(place)
        removed = []
        (current, next) = (value, violation)
      }
      guard var steps = (try? JSONPathQuery(next.path))?.steps else { return nil }
      while let last = steps.last {
        if case .key = last, !needed.contains(Self.place(steps)) { break }
        steps.removeLast()
      }
      guard !steps.isEmpty else { return nil }
      removed.insert(Self.place(steps))
      current = current.without(steps[...])
      guard let found = schema.firstViolation(in: current, of: definition) else { return current }
      guard found.givenUp == nil else { throw SchemaSample.undecided }
      next = found
    }
    return nil
  }

  private static func place(_ steps: [PathStep]) -> String {
    "$" + steps.map(\.text).joined()
  }
}

extension JSONSchemaViolation {
  /// The place of the member that is missing; `nil` if none is.
  fileprivate var missingPlace: String? {
    guard case .missing(let name) = kind else { return nil }
    return path + PathStep.key(name).text
  }
}

extension Value {
  /// The value without the member that steps lead to.
  fileprivate func without(_ steps: ArraySlice<PathStep>) -> Value {
    guard let first = steps.first else { return self }
    switch (self, first) {
    case (.map(var members), .key(let key)):
      if steps.count == 1 {
        members[key] = nil
      } else {
        members[key] = members[key]?.without(steps.dropFirst())
      }
      return .map(members)
    case (.list(var elements), .index(let index)) where elements.indices.contains(index):
      elements[index] = elements[index].without(steps.dropFirst())
      return .list(elements)
    default: return self
    }
  }
}
