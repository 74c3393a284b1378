package import Foundations
package import OrderedCollections

extension PlannedData {
  /// The data with everything filled in.
  ///
  /// - Throws: `RunScopeError` if an expression has no value, or one without a form as text.
  package func resolve(in scope: some RunScope) throws(RunScopeError) -> Value {
    switch self {
    case .value(let value):
      return value
    case .text(let text):
      // A lone expression keeps its type.
      if text.segments.count == 1, case .run(let expression) = text.segments[0] {
        return try expression.resolve(in: scope)
      }
      return .string(try text.resolve(in: scope))
    case .list(let elements):
      var values: [Value] = []
      for element in elements { values.append(try element.resolve(in: scope)) }
      return .list(values)
    case .map(let members):
      var values: OrderedDictionary<String, Value> = [:]
      for (key, member) in members { values[key] = try member.resolve(in: scope) }
      return .map(values)
    }
  }

  /// The value if it needs nothing from the run.
  package var literal: Value? {
    guard case .value(let value) = self else { return nil }
    return value
  }

  /// A list that is a value as soon as all its elements are.
  package static func folding(_ elements: [PlannedData]) -> PlannedData {
    let values = elements.compactMap(\.literal)
    return values.count == elements.count ? .value(.list(values)) : .list(elements)
  }

  /// A map that is a value as soon as all its members are.
  package static func folding(_ members: OrderedDictionary<String, PlannedData>) -> PlannedData {
    let values = members.compactMapValues(\.literal)
    return values.count == members.count ? .value(.map(values)) : .map(members)
  }

  /// The data as compact JSON, with expressions as their authors wrote them.
  package var sourceText: String {
    switch self {
    case .value(let value): value.jsonText()
    case .text(let text): Value.string(text.sourceText).jsonText()
    case .list(let elements): "[" + elements.map(\.sourceText).joined(separator: ",") + "]"
    case .map(let members):
      "{"
        + members.map { Value.string($0.key).jsonText() + ":" + $0.value.sourceText }
        .joined(separator: ",") + "}"
    }
  }
}
