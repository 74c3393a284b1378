import Testing

@testable import ScenarioModel

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
      ("{ ?foo: bar }", "1:3 E007 a \"?\" stands directly in front of a value"),
      ("a: [x, ?y, z]", "1:8 E007 a \"?\" stands directly in front of a value"),
      ("é: { a: 1,\n  ?b: 2 }", "2:3 E007 a \"?\" stands directly in front of a value"),
      ("{ ?\"foo\": bar }", "1:3 E007 a \"?\" stands directly in front of a value"),
      ("{ ?[a]: bar }", "1:3 E007 a \"?\" stands directly in front of a value"),
      ("[a, b,#c\n]", "1:7 E007 a \"#\" stands directly behind other text"),
      ("[a, 'é',#c\n]", "1:9 E007 a \"#\" stands directly behind other text"),
      ("[#c\n]", "1:2 E007 a \"#\" stands directly behind other text"),
      ("a: \"x\"#c\n", "1:7 E007 a \"#\" stands directly behind other text"),
      ("a: [b]#c\n", "1:7 E007 a \"#\" stands directly behind other text"),
      ("a: &an:chor value", "1:4 E011 the name of an anchor cannot hold \":\""),
      ("a: !!str &an:chor value", "1:10 E011 the name of an anchor cannot hold \":\""),
      ("a: &x 1\nb: [*x:y]", "2:5 E011 the name of an alias cannot hold \":\""),
      ("a: &é 1", "1:5 E011 the name of an anchor or alias cannot hold this sign"),
    ])
  func refused(text: String, message: String) {
    #expect(said(text).first == message, "\(said(text))")
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

  @Test("A place far out in a long line is found")
  func long() {
    let list = "[" + String(repeating: "é, ", count: 200_000) + "?x]"
    #expect(said(list).map { $0.prefix(16) } == ["1:600002 E007 a "])
  }
}
