internal import Foundations
internal import OrderedCollections

/// The shape of a value at a place of the language, in the words of JSON Schema 2020-12.
struct SchemaShape: Sendable {
  /// The keywords, in the order in which they are written.
  var keywords: OrderedDictionary<String, Value>

  init(_ keywords: OrderedDictionary<String, Value>) {
    self.keywords = keywords
  }

  /// The shape as a schema.
  var schema: Value { .map(keywords) }
}

// MARK: - Scalars

extension SchemaShape {
  /// The shape of any value.
  static let anything = SchemaShape([:])
  /// The shape of any map.
  static let anyMap = type("object")
  /// true or false.
  static let truth = type("boolean")
  /// No value behind the colon, or null.
  static let nothing = type("null")
  /// A whole number.
  static let integer = type("integer")
  /// A number.
  static let number = type("number")
  /// Text in YAML's own sense.
  static let string = type("string")

  private static func type(_ name: String) -> SchemaShape {
    SchemaShape(["type": .string(name)])
  }

  /// A whole number of a range.
  static func integer(_ range: ClosedRange<Int64>) -> SchemaShape {
    SchemaShape([
      "type": .string("integer"), "minimum": .integer(range.lowerBound),
      "maximum": .integer(range.upperBound),
    ])
  }

  /// A whole number that has a least value.
  static func integer(_ range: PartialRangeFrom<Int64>) -> SchemaShape {
    SchemaShape(["type": .string("integer"), "minimum": .integer(range.lowerBound)])
  }

  /// A number of a range.
  static func number(_ range: ClosedRange<Int64>) -> SchemaShape {
    SchemaShape([
      "type": .string("number"), "minimum": .integer(range.lowerBound),
      "maximum": .integer(range.upperBound),
    ])
  }

  /// A number that has a least value.
  static func number(_ range: PartialRangeFrom<Int64>) -> SchemaShape {
    SchemaShape(["type": .string("number"), "minimum": .integer(range.lowerBound)])
  }

  /// Text that a regular expression finds a part of.
  static func pattern(_ expression: String) -> SchemaShape {
    SchemaShape(["type": .string("string"), "pattern": .string(expression)])
  }

  /// Exactly this value.
  static func constant(_ value: Value) -> SchemaShape {
    SchemaShape(["const": value])
  }

  /// Returns the shape of one of these words.
  static func words(_ words: [String]) -> SchemaShape {
    SchemaShape(["enum": .list(words.map { .string($0) })])
  }

  /// Returns the shape of a word of an enumeration of the model.
  static func words<Word: CaseIterable & RawRepresentable<String>>(of type: Word.Type)
    -> SchemaShape
  {
    words(type.allCases.map(\.rawValue))
  }

  /// Returns a reference to another definition.
  static func the(_ definition: String) -> SchemaShape {
    SchemaShape(["$ref": .string("#/$defs/\(definition)")])
  }
}

// MARK: - What is defined once

extension SchemaShape {
  static let text = the("text")
  static let name = the("name")
  static let duration = the("duration")
  static let delay = the("delay")
  static let instant = the("instant")
  static let moment = the("instantOrShift")
  static let data = the("data")
  static let fields = the("fields")
  static let signal = the("signal")
  static let byteCount = the("byteCount")
  static let valueText = the("valueText")
  static let textMatcher = the("textMatcher")
  static let numberMatcher = the("numberMatcher")
}

// MARK: - Lists and maps

extension SchemaShape {
  /// A list whose entries are alike.
  static func list(of entry: SchemaShape, atLeast least: Int64 = 0, atMost most: Int64? = nil)
    -> SchemaShape
  {
    var shape = SchemaShape(["type": .string("array"), "items": entry.schema])
    if least > 0 { shape.keywords["minItems"] = .integer(least) }
    if let most { shape.keywords["maxItems"] = .integer(most) }
    return shape
  }

  /// Returns the shape of two values alike.
  static func pair(of entry: SchemaShape) -> SchemaShape {
    list(of: entry, atLeast: 2, atMost: 2)
  }

  /// Returns the shape of one value, or a list of one and more.
  static func oneOrMore(_ entry: SchemaShape) -> SchemaShape {
    .either(entry, .list(of: entry, atLeast: 1))
  }

  /// A map with keys of the author's choice.
  static func map(of value: SchemaShape, atLeast least: Int64 = 0) -> SchemaShape {
    var shape = SchemaShape(["type": .string("object"), "additionalProperties": value.schema])
    if least > 0 { shape.keywords["minProperties"] = .integer(least) }
    return shape
  }

  /// A map whose keys a regular expression must find a part of.
  static func map(keys expression: String, of value: SchemaShape) -> SchemaShape {
    SchemaShape([
      "type": .string("object"), "patternProperties": .map([expression: value.schema]),
      "additionalProperties": .bool(false), "minProperties": .integer(1),
    ])
  }
}

// MARK: - Choices

extension SchemaShape {
  /// Returns one of several shapes.
  static func either(_ shapes: SchemaShape...) -> SchemaShape {
    SchemaShape(["anyOf": .list(shapes.map(\.schema))])
  }

  /// Returns a map of one shape, or another value that is no map: a mistake in the map is reported
  /// as one.
  static func map(_ map: SchemaShape, or other: SchemaShape) -> SchemaShape {
    SchemaShape([
      "if": type("object").schema, "then": map.schema, "else": other.schema,
    ])
  }

  /// Returns a map whose keys decide its shape; where it has none of them, editors are offered all.
  ///
  /// - Parameters:
  ///   - choices: The keys of which a map of the shape has at least one.
  ///   - rest: A map with none of these keys; any of the choices unless said.
  static func map(
    by choices: [(keys: [String], shape: SchemaShape)], else rest: SchemaShape? = nil
  ) -> SchemaShape {
    let undecided = SchemaShape(["anyOf": .list(choices.map(\.shape.schema))])
    return choices.reversed().reduce(rest ?? undecided) { rest, choice in
      let presence = choice.keys.map { Value.map(["required": .list([.string($0)])]) }
      return SchemaShape([
        "if": presence.count == 1 ? presence[0] : .map(["anyOf": .list(presence)]),
        "then": choice.shape.schema, "else": rest.schema,
      ])
    }
  }

  /// A map that has one shape where its keys are such, and another one otherwise.
  ///
  /// - Parameter condition: Keywords about the keys.
  static func map(
    ofKeys condition: OrderedDictionary<String, Value>, _ map: SchemaShape, else rest: SchemaShape
  ) -> SchemaShape {
    SchemaShape(["if": .map(condition), "then": map.schema, "else": rest.schema])
  }

  /// Returns a map whose keys decide its shape, or another value that is no map.
  static func map(by choices: [(keys: [String], shape: SchemaShape)], or other: SchemaShape)
    -> SchemaShape
  {
    .map(.map(by: choices), or: other)
  }

  /// Data where a condition is allowed as well: a map of one key might be a misspelled one, unless
  /// it is a generator.
  static var document: SchemaShape {
    data.and([
      "not": SchemaShape([
        "type": .string("object"), "minProperties": .integer(1), "maxProperties": .integer(1),
        "propertyNames": pattern("^[^$]").schema,
      ]).schema
    ])
  }

  /// Returns the shape with further keywords.
  func and(_ keywords: OrderedDictionary<String, Value>) -> SchemaShape {
    SchemaShape(self.keywords.merging(keywords) { $1 })
  }
}
