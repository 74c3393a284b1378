@testable import Foundations
import Testing

@Suite("What libyaml reads otherwise than YAML 1.2")
struct YAMLDialectTests {
  private func said(_ text: String) -> [String] {
    YAMLReader.read(SourceText(path: "f", text: text)).diagnostics.map {
      "\($0.range?.line ?? 0):\($0.range?.column ?? 0) \($0.code.rawValue) \($0.message)"
    }
  }

  @Test(
    "It is refused at its place",
    arguments: [
      ("{ ?[a]: bar }", "1:3 E007 a \"?\" stands directly in front of a value"),
      ("{ a: 1, ?{b: c}: bar }", "1:9 E007 a \"?\" stands directly in front of a value"),
      ("{ ?, a: 1 }", "1:3 E007 a \"?\" stands directly in front of a value"),
      ("{ a: 1, ?}", "1:9 E007 a \"?\" stands directly in front of a value"),
      ("[a, b,#c\n]", "1:7 E007 a \"#\" stands directly behind other text"),
      ("[a, 'é',#c\n]", "1:9 E007 a \"#\" stands directly behind other text"),
      ("[#c\n]", "1:2 E007 a \"#\" stands directly behind other text"),
      ("a: \"x\"#c\n", "1:7 E007 a \"#\" stands directly behind other text"),
      ("a: [b]#c\n", "1:7 E007 a \"#\" stands directly behind other text"),
      ("a: &an: value", "1:7 E007 a \":\" stands where no key can be"),
      ("a: &x 1\n*x: y", "2:1 E011 the name of an alias cannot hold \":\""),
      ("a: &x:é 1", "1:4 E011 the name of an anchor cannot hold \":\""),
      ("a: *x.y[", "1:8 E011 the name of an anchor or alias cannot hold this sign"),
      ("a: &copy; 2026", "1:9 E011 the name of an anchor or alias cannot hold this sign"),
      ("a: &é 1", "1:5 E011 the name of an anchor or alias cannot hold this sign"),
    ])
  func refused(text: String, message: String) {
    #expect(said(text) == [message])
  }

  @Test(
    "What both read alike is let through",
    arguments: [
      "{ ? foo : bar }", "{ 'a?b': c, b?b: d }", "? a\n: b", "{ \"?foo\": bar }", "a: ?b",
      "- ?b\n- a?", "[a, b, #c\nd]", "[a, b, # c\n#d\nd] #e", "a: b#c", "a: 'x' #c", "{a: b#c}",
      "a: |\n  x#y\n  #z\n#c\nb: c", "a: [\"#x\", '#y', x#]", "#c\na: b\n#d", "a: &x 1\nb: *x",
      "a: &x [1]\nb: [*x, *x]\nc: {d: *x}", "&a x: 1\nb: *a", "a: &x\n  b: c", "a: \"?x\\\n  #y\"",
      "%YAML 1.2\n---\na: b", "a: >-\n  x\n\n  #y\nb: x?",
      "a: b\r\n#c\r\nd: [e, #f\r\ng]\r\n",
    ])
  func accepted(text: String) {
    #expect(said(text).isEmpty, "\(said(text))")
  }

  /// A node as JSON.
  private func json(_ node: YAMLNode?) -> String {
    switch node?.content {
    case .scalar(let scalar): "\"\(scalar.text)\""
    case .sequence(let nodes): "[" + nodes.map { json($0) }.joined(separator: ",") + "]"
    case .mapping(let members):
      "{" + members.map { "\"\($0.key.value)\":\(json($0.value))" }.joined(separator: ",") + "}"
    case nil: "nothing"
    }
  }

  @Test(
    "It is read as YAML 1.2 reads it",
    arguments: [
      ("{ ?foo: bar }", #"{"?foo":"bar"}"#), ("a: [x, ?y, z]", #"{"a":["x","?y","z"]}"#),
      ("{ a: ?b, ?c : d }", #"{"a":"?b","?c":"d"}"#), ("[?a, ?b]", #"["?a","?b"]"#),
      ("[ ?a: b, c: ?d ]", #"[{"?a":"b"},{"c":"?d"}]"#), ("{ ?a, b: c }", #"{"?a":"","b":"c"}"#),
      ("é: { a: 1,\n  ?b: 2 }", #"{"é":{"a":"1","?b":"2"}}"#),
      ("{ ?'foo': bar }", #"{"?'foo'":"bar"}"#), ("[ ?-1, ??a? ]", #"["?-1","??a?"]"#),
      ("[ ? a, ?b ]", #"[{"a":""},"?b"]"#), ("{ &x ?a: *x }", #"{"?a":"?a"}"#),
      ("[ \"?a, [?b\", ?c ] #, ?d", #"["?a, [?b","?c"]"#),
      ("a: |\n  [ ?x, &a:b ]\nb: [ ?y ]", #"{"a":"[ ?x, &a:b ]\#n","b":["?y"]}"#),
      // A colon may stand behind the sign in text as well (rules 126 and 130).
      ("{ ?: 1 }", #"{"?":"1"}"#), ("{?: 1, a: 2}", #"{"?":"1","a":"2"}"#),
      ("{ ?:: 1, ?:a: 2, ?:b }", #"{"?:":"1","?:a":"2","?:b":""}"#),
      ("[ ?: 1, ?:a ]", #"[{"?":"1"},"?:a"]"#),
      ("[{ ? : 1 }, { ? a : 1 }]", #"[{"":"1"},{"a":"1"}]"#),
      // libyaml would begin other quotes behind the first sign.
      (#"[ ?'a, "b', ?c" ]"#, #"["?'a","b', ?c"]"#),
      ("[ ?a\n  b, c ]", #"["?a b","c"]"#),
      ("a: &an:chor value\nb: *an:chor", #"{"a":"value","b":"value"}"#),
      ("a: !!str &an:chor value", #"{"a":"value"}"#),
      ("a: &a.b [1, &c/d 2, *c/d]\nb: *a.b", #"{"a":["1","2","2"],"b":["1","2","2"]}"#),
      ("a: &x 1\nc: &x:y 2\nb: [*x:y, *x]", #"{"a":"1","c":"2","b":["2","1"]}"#),
      ("a: &x:y\n  b: '*x:y'\nc: *x:y", #"{"a":{"b":"*x:y"},"c":{"b":"*x:y"}}"#),
      ("[&a_b 1, &a:b 2, *a_b, *a:b]", #"["1","2","1","2"]"#),
      ("a: 'x &y:z ?' # &a:b\nb: x &y:z", #"{"a":"x &y:z ?","b":"x &y:z"}"#),
      ("a: [\"\\ud83d\\ude00\", ?b, &c:d e]", #"{"a":["😀","?b","e"]}"#),
      // A last line of blanks is an empty one, also where its end is missing (L24T and JEF9 of the YAML test suite).
      ("a: |\n  x\n   ", "{\"a\":\"x\n \n\"}"), ("- |+\n   ", "[\"\n\"]"),
      ("a: |\n  x\n ", "{\"a\":\"x\n\"}"),
      ("a: |\n  x", "{\"a\":\"x\"}"), ("a: b\n  ", "{\"a\":\"b\"}"),
      ("a: 'b\n  c'\n ", "{\"a\":\"b c\"}"),
      ("a: [?b]\n  ", #"{"a":["?b"]}"#),
    ])
  func mended(text: String, meant: String) {
    #expect(said(text).isEmpty, "\(said(text))")
    #expect(json(YAMLReader.read(SourceText(path: "f", text: text)).root) == meant)
  }

  @Test("Columns are those of the text, and an unknown alias is told of by its whole name")
  func places() {
    #expect(said("{ ?a: 1, ?a: 2 }") == ["1:10 E010 duplicate key \"?a\""])
    #expect(said("a: &an:chor 1\nb: *an:char") == ["2:4 E011 unknown alias \"*an:char\""])
  }

  @Test("A place far out in a long line is found")
  func long() {
    let list = "[" + String(repeating: "é, ", count: 200_000) + "?[x]]"
    #expect(said(list).map { $0.prefix(16) } == ["1:600002 E007 a "])
  }

  @Test("Thousands of such signs are read at once")
  func many() {
    let list = "[" + (0..<4_000).map { "?x\($0)" }.joined(separator: ", ") + "]"
    #expect(said(list).isEmpty)
  }
}
