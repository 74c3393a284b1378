import Foundations
import GraphQL
import Testing

@Suite("GraphQL documents")
struct GraphQLDocumentTests {
  @Test(
    "Operations are found",
    arguments: [
      ("{ user { name } }", ["query -"]), ("query GetUser { user }", ["query GetUser"]),
      ("mutation($a:Int){x}", ["mutation -"]), ("subscription S { x }", ["subscription S"]),
      ("query A { x } query B { y } fragment F on T { z }", ["query A", "query B"]),
      ("fragment F on T @d(a: {b: 1}) { z } query A { ...F }", ["query A"]),
      ("# query Not { }\nquery Yes { a(s: \"} query Not {\") }", ["query Yes"]),
      ("query Yes { a(s: \"\"\"} \\\"\"\" \" query Not { \"\"\") }", ["query Yes"]),
      ("query Q($f: In = {a: [{b: 1}], c: -1.5e3}) @live { a ... on T { b } }", ["query Q"]),
      ("\u{FEFF}query,,Q,{a}", ["query Q"]), ("query query { query }", ["query query"]),
      ("query Q { a(s: \"\\\\\") b }", ["query Q"]), ("query Q { a(s: \"\") b }", ["query Q"]),
      ("query on { on(on: on) ... on on { on } }", ["query on"]),
    ])
  func operations(text: String, expected: [String]) throws {
    let document = try GraphQLDocument(parsing: text)

    #expect(document.operations.map { "\($0.kind) \($0.name?.text ?? "-")" } == expected)
  }

  @Test(
    "A malformed document is refused, with the place and what was expected",
    arguments: [
      ("", "1:1: expected a query, a mutation, a subscription or a fragment, found the end"),
      ("query", "1:6: expected \"{\", found the end of the document"),
      ("query A { a", "1:12: expected a field, found the end of the document"),
      ("query A { a ) }", "1:13: expected a field, found \")\""),
      ("type T { a: Int }", "1:1: expected a query"), ("} {", "1:1: expected a query"),
      ("{ a(s: \"open) }", "1:16: the string has no closing quote"),
      ("{ a(s: \"open\n\") }", "1:13: the string has no closing quote"),
      ("{ a(s: \"\"\"open) }", "1:18: the block string has no closing quotes"),
      ("query A {\n  a ? }", "2:5: unexpected \"?\""), ("{ é }", "1:3: unexpected \"é\""),
      ("{\r\n a\r b(c: $) }", "3:8: expected a variable's name"),
      ("fragment on on T { a }", "1:10: expected a fragment's name, found \"on\""),
      ("fragment { a }", "1:10: expected a fragment's name"),
      ("{ a .. b }", "1:5: expected \"...\""),
      ("{ a(b: 01) }", "1:9: a number must not begin with a zero"),
      ("{ a(b: 1.) }", "1:10: expected a digit"), ("{ a(b: 1.2.3) }", "1:11: expected the end of"),
      ("{ a(b: 12x) }", "1:10: expected the end of the number"),
      ("{ a(b: -) }", "1:9: expected a digit"), ("{ a(b: 1e) }", "1:10: expected a digit"),
      ("query($a: Int = $b) { a }", "1:17: expected a value without variables, found \"$\""),
      ("{ a(s: \"\\x\") }", "1:9: \"\\x\" is no escape"),
      ("{ a(s: \"\\u12G4\") }", "1:9: the escape is not that of a Unicode character"),
      ("{ a(s: \"\\uD83D\") }", "1:9: the escape is not that of a Unicode character"),
      ("{ a(s: \"\\u{110000}\") }", "1:9: the escape is not that"),
      ("{ }", "1:3: expected a field"),
      ("{ a() }", "1:5: expected an argument"), ("{ a(b: \u{1}) }", "1:8: unexpected U+0001"),
    ])
  func malformed(text: String, expected: String) {
    let error = #expect(throws: GraphQLSyntaxError.self) { try GraphQLDocument(parsing: text) }

    let line = error.map { "\($0.location.line):\($0.location.column): \($0.message)" } ?? ""
    #expect(line.hasPrefix(expected), "\(line)")
  }

  @Test(
    "Strings stand for what the specification says",
    arguments: [
      (#""a\n\t\"\\\/""#, "a\n\t\"\\/"), (#""\u0041\u{1F600}\uD83D\uDE00""#, "A😀😀"),
      ("\"\"\"\n    Hello,\n      World!\n\n    Yours,\n  \"\"\"", "Hello,\n  World!\n\nYours,"),
      ("\"\"\"one \\\"\"\" two\"\"\"", "one \"\"\" two"), ("\"\"\"\"\"\"", ""),
      ("\"\"\"a\r\n  b\r  c\"\"\"", "a\nb\nc"), ("\"\"\"\\n\"\"\"", "\\n"), ("\"\"", ""),
    ])
  func strings(literal: String, expected: String) throws {
    let document = try GraphQLDocument(parsing: "{ a(b: \(literal)) }")

    guard case .field(let field) = document.operations[0].selections[0],
      case .string(let text, _) = field.arguments[0].value.content
    else {
      Issue.record("no string")
      return
    }
    #expect(text == expected)
  }

  @Test("Documents that differ in ignored tokens and order of definitions have the same text")
  func canonical() throws {
    let left = try GraphQLDocument(
      parsing: """
        # a comment
        query Q($a: [Int!]! = [1, 2], $b: In = {x: "é"}) @live(if: true) {
          me: user(id: $a, text: \"""block\""") { ...F @include(if: $b) ... on T { x } ... { y } }
        }
        fragment F on User { name }
        """)
    let right = try GraphQLDocument(
      parsing: """
        fragment F on User{name}query Q($a:[Int!]!=[1 2]$b:In={x:"\\u00e9"})@live(if:true)\
        {me:user(id:$a text:"block"){...F@include(if:$b)...on T{x}...{y}}}
        """)
    let other = try GraphQLDocument(parsing: "query Q { me: user { name } }")

    #expect(left.canonicalText == right.canonicalText)
    #expect(left.canonicalText != other.canonicalText)
    #expect(try GraphQLDocument(parsing: left.canonicalText).canonicalText == left.canonicalText)
    #expect(
      left.canonicalText == """
        query Q($a: [Int!]! = [1, 2], $b: In = {x: "é"}) @live(if: true) { me: user(id: $a, \
        text: "block") { ...F @include(if: $b) ... on T { x } ... { y } } } fragment F on User \
        { name }
        """)
  }

  @Test(
    "Nesting without end is refused and not followed",
    arguments: ["{a", "{a(b:[", "{a(b:{c:", "query($a:["])
  func deep(part: String) {
    let opening = part.last == "a" ? "{a" : String(part.suffix(part.hasSuffix("c:") ? 3 : 1))
    let text = part + String(repeating: opening, count: 100_000)

    let error = #expect(throws: GraphQLSyntaxError.self) { try GraphQLDocument(parsing: text) }
    #expect(error?.message.contains("nested more than 200 levels deep") == true)
  }

  @Test("The named operation runs, or the only one")
  func selection() throws {
    let two = try GraphQLDocument(parsing: "query A { x } mutation B { y }")
    let one = try GraphQLDocument(parsing: "query A { x }")

    #expect(two.operation(named: "B")?.kind == .mutation)
    #expect(two.operation(named: "C") == nil)
    #expect(two.operation(named: nil) == nil)
    #expect(one.operation(named: nil)?.name?.text == "A")
  }

  @Test("Whatever bytes come, an error or a document comes of them, and the same twice")
  func fuzz() throws {
    let seeds = [
      "query Q($a: [Int!]! = [1, 2]) @live { me: user(id: $a) { ...F ... on T { x } } }",
      "fragment F on User { name(a: \"\"\"b\"\"\", c: {d: -1.5e3, e: \"\\u00e9\"}) }",
      "type T implements A & B @d { \"x\" a(b: Int = 1): [T!]! } union U = | A | B enum E { X }",
    ]
    var state: UInt64 = 0x5eed
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var accepted = 0
    for round in 0..<6000 {
      var bytes = Array(seeds[round % seeds.count].utf8)
      for _ in 0...next(4) {
        let place = next(bytes.count)
        switch next(4) {
        case 0: bytes[place] = UInt8(next(256))
        case 1: bytes.remove(at: place)
        case 2:
          bytes.insert(contentsOf: bytes[place..<min(place + next(20), bytes.count)], at: place)
        default: bytes.removeLast(next(bytes.count / 2))
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      if let document = try? GraphQLDocument(parsing: text) {
        accepted += 1
        let canonical = document.canonicalText
        #expect(try GraphQLDocument(parsing: canonical).canonicalText == canonical)
      }
      let (schema, problems) = GraphQLSchema.read(text)
      #expect((schema == nil) == !problems.isEmpty)
    }
    #expect(accepted > 100)
  }
}
