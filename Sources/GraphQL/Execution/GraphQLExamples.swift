internal import Foundations

/// The values of fields that are known without making one up: from arguments, from examples of the schema's author, and of
/// what says whether another page follows.
struct GraphQLExamples {
  let schema: GraphQLSchema

  /// The value that an argument gives to a field; `nil` if it is no value of its type.
  func value(
    _ given: GraphQLGivenValues.Given, of definition: GraphQLFieldDefinition
  ) -> Value? {
    guard let type = schema.type(of: definition.type), type.isLeaf, given.fits(type) else {
      return nil
    }
    return fitted(given.value, definition.type)
  }

  /// The value by which reading page after page ends; `nil` for other fields.
  func endOfPages(_ definition: GraphQLFieldDefinition, _ type: GraphQLType) -> Value? {
    if case .list = definition.type.nullable { return nil }
    return switch (type.name.text, WordForm(definition.name.text).text) {
    case ("Boolean", "hasnextpage"), ("Boolean", "haspreviouspage"), ("Boolean", "hasmore"):
      .bool(false)
    case (_, "nexttoken"), (_, "nextcursor"), (_, "nextpagetoken"):
      definition.type.isNonNull ? nil : .null
    default: nil
    }
  }

  /// One of the examples that the schema's author gives for a field or a scalar; `nil` if none fits.
  func example(
    of definition: GraphQLFieldDefinition, as type: GraphQLTypeReference, _ key: StreamKey
  ) -> Value? {
    let isList = if case .list = type { true } else { false }
    var examples = definition.directives.examples
    // A scalar's are for each element.
    if examples.isEmpty, !isList { examples = schema.type(of: type)?.directives.examples ?? [] }
    let fitting = examples.compactMap { example -> Value? in
      // What stands for an element is given to each of them, and not to the list.
      if isList, !example.isList { nil } else { fitted(example, type) }
    }
    guard !fitting.isEmpty else { return nil }
    var random = SplitMix64(seed: key.value)
    return fitting[Int(random.next(below: UInt64(fitting.count)))]
  }

  /// A value that is known as one of a type, alone or as the elements of a list; `nil` if it does not fit.
  private func fitted(_ value: Value, _ type: GraphQLTypeReference) -> Value? {
    guard value != .null else { return nil }
    switch type {
    case .nonNull(let inner): return fitted(value, inner)
    case .list(let inner):
      guard case .list(let elements) = value else {
        return fitted(value, inner).map { .list([$0]) }
      }
      let fitting = elements.compactMap { fitted($0, inner) }
      return fitting.count == elements.count ? .list(fitting) : nil
    case .named(let name):
      return schema.types[name.text].flatMap { try? GraphQLLeaf.serialize(value, $0).get() }
    }
  }
}

extension Value {
  fileprivate var isList: Bool {
    if case .list = self { true } else { false }
  }
}

extension [GraphQLDirective] {
  /// The values of `@example(value: …)` and `@examples(values: […])`.
  fileprivate var examples: [Value] {
    flatMap { directive -> [Value] in
      for argument in directive.arguments {
        switch (directive.name.text, argument.name.text, argument.value.value(with: [:])) {
        case ("example", "value", let value?): return [value]
        case ("examples", "values", .list(let values)?): return values
        default: continue
        }
      }
      return []
    }
  }
}
