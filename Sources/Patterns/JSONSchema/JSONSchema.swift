package import Foundations

/// A JSON Schema (draft 2020-12) that is known to be well formed.
///
/// Known are the vocabularies core, applicator (but `unevaluated…`), validation, and the assertions of
/// `format`. A keyword that is not known is refused and never ignored.
package struct JSONSchema: Sendable, Hashable, Codable {
  /// The schema as written.
  package let source: Value
  /// Its rules, each subschema by its place.
  package let root: JSONSchemaRules

  /// Reads a schema.
  ///
  /// - Throws: If it is malformed, or uses what is not known; the message names the place.
  package init(_ source: Value) throws(PatternError) {
    self.source = source
    var reader = JSONSchemaReader(source)
    root = try reader.read()
  }

  /// Reads a schema from its source.
  package init(from decoder: any Decoder) throws {
    try self.init(try Value(from: decoder))
  }

  /// Writes the source.
  package func encode(to encoder: any Encoder) throws {
    try source.encode(to: encoder)
  }

  /// Returns whether both have the same source.
  package static func == (left: JSONSchema, right: JSONSchema) -> Bool {
    left.source == right.source
  }

  /// Feeds the source.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(source)
  }

  /// Finds the first place where a value breaks the schema; `nil` if it is valid.
  ///
  /// - Parameters:
  ///   - definition: a reference to the part that is meant, such as `#/$defs/user`; `nil` is the whole schema.
  ///   - searchLimit: after how many steps the search for a regular expression is given up; `nil` stands for
  ///     the usual number.
  package func firstViolation(
    in value: Value, of definition: String? = nil, searchLimit: Int? = nil
  ) -> JSONSchemaViolation? {
    JSONSchemaValidator(
      definitions: root.definitions, searchLimit: searchLimit ?? LinearExpression.stepLimit
    ).firstViolation(of: definition.map { .rules([.reference($0)]) } ?? root.top, value)
  }

  /// The beginning of references to definitions.
  package static let definitionPrefix = "#/$defs/"

  /// Returns a reference to the definition of a name.
  package static func reference(toDefinition name: String) -> String {
    definitionPrefix + JSONPointer.escaped(name)
  }
}

/// A place of a value that a schema does not allow.
package struct JSONSchemaViolation: Sendable, Hashable {
  /// The place as a JSON path.
  package var path: String
  /// The expected value, in words.
  package var expected: String
  /// The actual value.
  package var actual: Value
  /// The reason why the value is not judged, where that took too much work; `nil` where it is not
  /// valid.
  package var givenUp: LongTextError?
  /// What the value breaks.
  package var kind = Kind.other

  /// What a value breaks, as far as others act on it.
  package enum Kind: Sendable, Hashable {
    /// It has another type.
    case type
    /// It is none of the values that are listed.
    case choice
    /// It has no member of this name.
    case missing(String)
    /// Anything else.
    case other
  }
}

/// A whole schema: the subschema at its top, and those that references name.
package struct JSONSchemaRules: Sendable {
  /// The subschema at the top.
  package var top: JSONSubschema
  /// The definitions by their place, as in `#/$defs/user`.
  package var definitions: [String: JSONSubschema]
}

/// One subschema, with its demands.
package indirect enum JSONSubschema: Sendable {
  /// `true` or `false`.
  case constant(Bool)
  case rules([JSONRule])
}

/// One demand of a subschema.
package indirect enum JSONRule: Sendable {
  case reference(String)
  case types([String])
  case choices([Value])
  case allOf([JSONSubschema])
  case anyOf([JSONSubschema])
  case oneOf([JSONSubschema])
  case not(JSONSubschema)
  case conditional(JSONSubschema, then: JSONSubschema?, otherwise: JSONSubschema?)
  case bound(JSONBound, Double, text: String)
  case multiple(Double)
  case length(JSONMeasure, minimum: Bool, Int)
  case pattern(LinearExpression, String)
  case format(JSONFormat)
  case items(prefix: [JSONSubschema], rest: JSONSubschema?)
  case contains(JSONSubschema, minimum: Int, maximum: Int?)
  case uniqueItems
  case required([String])
  case dependentRequired([String: [String]])
  case dependentSchemas([String: JSONSubschema])
  case propertyNames(JSONSubschema)
  case members(JSONMemberRules)
  /// A value that shows what is meant, the first of `examples`; it demands nothing.
  case example(Value)
}

/// `properties`, `patternProperties` and `additionalProperties`, which belong together.
package struct JSONMemberRules: Sendable {
  /// The subschemas of `properties`.
  package var named: [String: JSONSubschema] = [:]
  /// The subschemas of `patternProperties`.
  package var patterns: [(expression: LinearExpression, source: String, schema: JSONSubschema)] = []
  /// The subschema of `additionalProperties`.
  package var rest: JSONSubschema?
}

/// The bounds of numbers.
package enum JSONBound: String, Sendable {
  case minimum
  case maximum
  case exclusiveMinimum
  case exclusiveMaximum
}

/// The unit of a length.
package enum JSONMeasure: String, Sendable {
  case letters
  case elements
  case members

  /// The number of things, as in `1 letter`.
  func text(_ count: Int) -> String {
    "\(count) \(count == 1 ? String(rawValue.dropLast()) : rawValue)"
  }
}
