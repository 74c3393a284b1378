import Foundations
import OrderedCollections
@testable import Patterns
import Testing

@Suite("JSON Schema")
struct JSONSchemaTests {
  private func schema(_ text: String) throws -> JSONSchema {
    try JSONSchema(try JSONText.parse(text))
  }

  @Test(
    "What a schema allows and what it does not",
    arguments: [
      (#"{"type":"integer"}"#, "1", "1.5"), (#"{"type":"integer"}"#, "1.0", #""1""#),
      (#"{"type":["string","null"]}"#, "null", "0"), (#"{"const":{"a":1}}"#, #"{"a":1.0}"#, "{}"),
      (#"{"enum":["a",1]}"#, "1", #""b""#), (#"{"minimum":2,"exclusiveMaximum":4}"#, "2", "4"),
      (#"{"multipleOf":0.1}"#, "0.3", "0.35"),
      (#"{"minLength":2,"maxLength":3}"#, #""éé""#, #""é""#),
      (#"{"pattern":"^a+$"}"#, #""aa""#, #""ab""#),
      (#"{"format":"uuid"}"#, #""6ba7b810-9dad-11d1-80b4-00c04fd430c8""#, #""x""#),
      (#"{"format":"date"}"#, #""2024-02-29""#, #""2023-02-29""#),
      (#"{"format":"date-time"}"#, #""2024-02-29T10:00:00Z""#, #""2024-02-29""#),
      (#"{"format":"ipv4"}"#, #""10.0.0.1""#, #""10.0.0.256""#),
      (#"{"format":"ipv6"}"#, #""::ffff:1.2.3.4""#, #""1::2::3""#),
      (#"{"format":"email"}"#, #""a@b""#, #""a b""#),
      (#"{"items":{"type":"integer"}}"#, "[1,2]", #"[1,"2"]"#),
      (#"{"prefixItems":[{"type":"string"}],"items":false}"#, #"["a"]"#, #"["a",1]"#),
      (#"{"contains":{"const":1},"maxContains":1}"#, "[0,1]", "[1,1]"),
      (#"{"uniqueItems":true,"minItems":1}"#, "[1,2]", "[1,1.0]"),
      (
        #"{"required":["a"],"properties":{"a":{"type":"string"}}}"#, #"{"a":"x","b":1}"#,
        #"{"a":1}"#
      ),
      (
        #"{"properties":{"a":true},"patternProperties":{"^x-":{"type":"integer"}},"additionalProperties":false}"#,
        #"{"a":1,"x-b":2}"#, #"{"b":1}"#
      ),
      (#"{"propertyNames":{"maxLength":2},"minProperties":1}"#, #"{"ab":1}"#, #"{"abc":1}"#),
      (#"{"dependentRequired":{"a":["b"]}}"#, #"{"b":1}"#, #"{"a":1}"#),
      (#"{"allOf":[{"minimum":1},{"maximum":2}]}"#, "1", "3"),
      (#"{"anyOf":[{"type":"null"},{"minimum":5}]}"#, "5", "4"),
      (#"{"oneOf":[{"multipleOf":2},{"multipleOf":3}]}"#, "4", "6"),
      (#"{"not":{"const":1}}"#, "2", "1"),
      (#"{"if":{"minimum":10},"then":{"multipleOf":10},"else":{"maximum":5}}"#, "20", "15"),
      (##"{"$ref":"#/$defs/n","$defs":{"n":{"type":"null"}}}"##, "null", "1"),
      (
        ##"{"type":"object","properties":{"next":{"$ref":"#"}}}"##, #"{"next":{"next":{}}}"#,
        #"{"next":{"next":1}}"#
      ),
      ("true", "1", ""), (#"{}"#, "[]", ""),
    ])
  func judges(schema: String, valid: String, invalid: String) throws {
    let schema = try self.schema(schema)

    #expect(schema.firstViolation(in: try JSONText.parse(valid)) == nil)
    if !invalid.isEmpty {
      #expect(schema.firstViolation(in: try JSONText.parse(invalid)) != nil)
    }
  }

  @Test("A violation names its place, what was expected and what is there")
  func places() throws {
    let schema = try schema(
      #"{"properties":{"items":{"items":{"properties":{"price":{"minimum":0}}}}}}"#)

    let violation = schema.firstViolation(
      in: try JSONText.parse(#"{"items":[{"price":1},{"price":-2}]}"#))

    #expect(violation?.path == "$.items[1].price")
    #expect(violation?.expected == "at least 0")
    #expect(violation?.actual == .integer(-2))
  }

  @Test(
    "A schema that is wrong, or says what is not known, is refused with its place",
    arguments: [
      (#"{"typ":"string"}"#, "#/typ: the keyword \"typ\" is not known"),
      (#"{"properties":{"a":{"type":"text"}}}"#, "#/properties/a/type: \"text\" is not a type"),
      (#"{"pattern":"("}"#, "#/pattern:"), (##"{"$ref":"#/$defs/x"}"##, "which is not there"),
      (#"{"$ref":"other.json"}"#, "leads out of the schema"),
      (#"{"minLength":-1}"#, "#/minLength:"),
      (#"{"unevaluatedProperties":false}"#, "is not known"), (#"{"format":"iban"}"#, "\"iban\""),
      ("1", "#: a schema is a map"), (#"{"required":"a"}"#, "#/required: it must be a list"),
    ])
  func refuses(text: String, message: String) throws {
    let error = #expect(throws: PatternError.self) { try self.schema(text) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test(
    "A hundred thousand elements are told apart in one pass, and one that repeats is found however it is written",
    .timeLimit(.minutes(1)))
  func manyUniqueItems() throws {
    let schema = try schema(#"{"uniqueItems":true}"#)
    var items = (0..<100_000).map { number in
      Value.map(["id": .integer(Int64(number)), "name": .string("n\(number)")])
    }

    let first = schema.firstViolation(in: .list(items))
    items.append(.map(["name": .string("n7"), "id": .number(7.0)]))
    let second = schema.firstViolation(in: .list(items))

    #expect(first == nil)
    #expect(second != nil && second?.givenUp == nil)
  }

  @Test("A schema that multiplies itself comes to an end")
  func bounded() throws {
    let schema = try schema(
      ##"{"anyOf":[{"not":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}},{"$ref":"#"}]}"##)

    _ = schema.firstViolation(in: .null)
  }
}
