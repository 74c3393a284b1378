import Foundations
import Testing

@Suite struct JSONTextTests {
  @Test("Keys that only look the same are never taken for one")
  func twins() throws {
    let (one, two) = ("\u{e9}", "e\u{301}")
    let error = #expect(throws: JSONParseError.self) {
      try JSONText.parse("{\"\(one)\": 1, \"\(two)\": 2}")
    }
    #expect(error?.message.contains(#""\x{E9}" and "e\x{301}" look the same"#) == true)
    // A key that is repeated as it is keeps its last value.
    #expect(try JSONText.parse("{\"\(one)\": 1, \"\(one)\": 2}").jsonText().hasSuffix(":2}"))
    let values = try [one, two].map { try JSONText.parse("{\"\($0)\": 1}") }
    #expect(!values[0].isEqual(to: values[1]) && values[0].isEqual(to: values[0]))
  }

  @Test("Every kind of value is read, and the order of keys stays")
  func readsValues() throws {
    let value = try JSONText.parse(
      #" {"z": [1, -2.5, 1e2, true, false, null], "a": "\u00e9\n\ud83d\ude00\/", "m": {}} "#)

    guard case .map(let members) = value else {
      Issue.record("not a map")
      return
    }
    #expect(members.map(\.key) == ["z", "a", "m"])
    #expect(
      members.first { $0.key == "z" }?.value
        == .list([.integer(1), .number(-2.5), .number(100), .bool(true), .bool(false), .null]))
    #expect(members.first { $0.key == "a" }?.value == .string("é\n😀/"))
    #expect(value.jsonText().hasSuffix(#","a":"é\n😀/","m":{}}"#))
  }

  @Test("Whole numbers beyond 64 bits become numbers, negative zero stays negative")
  func readsNumbers() throws {
    #expect(try JSONText.parse("9223372036854775807") == .integer(.max))
    #expect(try JSONText.parse("-9223372036854775808") == .integer(.min))
    #expect(try JSONText.parse("9223372036854775808") == .number(9_223_372_036_854_775_808))
    #expect(try JSONText.parse("-0").jsonText() == "-0.0")
  }

  @Test("A repeated key keeps its first place and its last value")
  func repeatsKeys() throws {
    #expect(try JSONText.parse(#"{"a": 1, "b": 2, "a": 3}"#).jsonText() == #"{"a":3,"b":2}"#)
  }

  @Test("A repeated key of what an author writes is an error at its place, in each map alone")
  func refusesRepetition() throws {
    let error = #expect(throws: JSONParseError.self) {
      try JSONText.parse("{\"a\": 1,\n \"b\": {\"a\": 2, \"a\": 3}}", refusesRepetition: true)
    }
    #expect(error == JSONParseError("duplicate key \"a\"", line: 2, column: 16))
    let text = #"{"a":{"a":1},"b":[{"a":1},{"a":2}]}"#
    #expect(try JSONText.parse(text, refusesRepetition: true).jsonText() == text)
  }

  @Test(
    "What RFC 8259 forbids is an error with its place",
    arguments: [
      ("", "1:1: expected a value, found the end of the text"),
      ("[1,\n 2,]", "2:4: expected a value, found \"]\""),
      ("{\"a\" 1}", "1:6: expected \":\" behind the key \"a\", found \"1\""),
      ("{a: 1}", "1:2: expected a key in double quotes, found \"a\""),
      ("[1 2]", "1:4: expected \",\" or \"]\" in a list, found \"2\""),
      ("01", "1:1: a number must not begin with 0"),
      ("-", "1:2: expected a digit, found the end of the text"),
      ("1.", "1:3: expected a digit, found the end of the text"),
      ("+1", "1:1: expected a value, found \"+\""),
      ("1e999", "1:1: the number 1e999 is out of range"),
      ("NaN", "1:1: expected a value, found \"N\""),
      ("\"é\ta\"", "1:3: a control character in a string must be written as an escape"),
      ("\"abc", "1:1: the string has no closing quote"),
      ("\"\\q\"", "1:2: unknown escape in a string"),
      ("\"\\ud83d\"", "1:2: a surrogate escape without its other half"),
      ("\"\\u12g4\"", "1:6: expected four hexadecimal digits behind \"\\u\", found \"g\""),
      ("1 2", "1:3: expected the end of the text, found \"2\""),
      ("'a'", "1:1: expected a value, found \"'\""),
    ])
  func refuses(text: String, message: String) {
    let error = #expect(throws: JSONParseError.self) { try JSONText.parse(text) }
    #expect(error.map { "\($0.line):\($0.column): \($0.message)" } == message)
  }

  @Test("Nesting beyond the limit is refused, up to it is not")
  func limitsDepth() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try JSONText.parse(nested(JSONText.maximumDepth))

    let error = #expect(throws: JSONParseError.self) {
      try JSONText.parse(nested(JSONText.maximumDepth + 1))
    }
    #expect(error?.message == "lists and maps nest deeper than 512")
  }

  @Test("Bytes that are not UTF-8 are refused at their place")
  func validatesBytes() throws {
    #expect(try JSONText.parse(utf8: Array("[1]".utf8)) == .list([.integer(1)]))

    let error = #expect(throws: JSONParseError.self) {
      try JSONText.parse(utf8: [0x5B, 0x0A, 0x22, 0xFF, 0x22, 0x5D])
    }
    #expect(error == JSONParseError("the bytes are not valid UTF-8", line: 2, column: 2))
  }

  @Test("A pretty text is indented by two spaces")
  func writesPretty() throws {
    let value = try JSONText.parse(#"{"b": [1, "a\"\u0001"], "a": {}, "c": []}"#)

    #expect(
      value.jsonText(pretty: true) == """
        {
          "b": [
            1,
            "a\\"\\u0001"
          ],
          "a": {},
          "c": []
        }
        """)
  }
}

@Suite struct ValueEqualityTests {
  @Test("The order of keys and the kind of number do not count")
  func comparesAsJSON() throws {
    let left = try JSONText.parse(#"{"a": 1, "b": [null]}"#)
    let right = try JSONText.parse(#"{"b": [null], "a": 1.0}"#)

    #expect(left.isEqual(to: right))
    #expect(left != right)
  }

  @Test("Different values differ")
  func tellsApart() throws {
    #expect(!Value.integer(1).isEqual(to: .number(1.5)))
    #expect(!Value.integer(1).isEqual(to: .string("1")))
    #expect(!Value.integer(0).isEqual(to: .bool(false)))
    #expect(
      !Value.list([.integer(1), .integer(2)]).isEqual(to: .list([.integer(2), .integer(1)])))
    #expect(!(try JSONText.parse(#"{"a": null}"#)).isEqual(to: try JSONText.parse("{}")))
    #expect(
      !(try JSONText.parse(#"{"a": null}"#)).isEqual(to: try JSONText.parse(#"{"b": null}"#)))
    #expect(!Value.integer(.max).isEqual(to: .number(9_223_372_036_854_775_808)))
  }
}
