import Foundations
@testable import ScenarioPlan
import Testing

/// `xml:` on a text.
@Suite("Conditions on XML")
struct XMLConditionTests {
  private static let order = """
    <?xml version="1.0"?>
    <order id="42" xmlns="urn:orders">
      <item sku="A1">2</item>
      <item sku="B2">10</item>
      <total>12.50</total><note/>
    </order>

    """

  private func matcher(_ text: String) throws -> PlannedMatcher {
    let planned = try Samples.onlyCase(
      "target: { command: [x] }\nexpect: { stdout: \(text) }")
    guard case .standardOutput(let matcher)? = planned.expect.first?.subject else {
      throw NoCondition()
    }
    return matcher
  }

  private struct NoCondition: Error {}

  private func mismatches(_ text: String, _ output: String = order) throws -> [Mismatch] {
    var scope = CaseScope(directory: "/case")
    scope.isExpectation = true
    let matcher = try matcher(text)
    let found = matcher.mismatches(of: .text(output), scope: scope)
    let long = try matcher.check(long: TextInMemory(output), scope: scope)
    #expect((found.isEmpty) == (long == nil), "\(text)")
    #expect(found.isEmpty == (matcher.check(.text(output), scope: scope) == nil), "\(text)")
    return found
  }

  @Test(
    "Paths with the conditions that paths into JSON have",
    arguments: [
      ("'//order/@id': '42'", true), ("//order/@id: 42", true), ("//order/@id: '43'", false),
      ("count(//item): 2", true), ("count(//item): 3", false),
      ("count(//item): { at_least: 3 }", false),
      ("//total: { greater_than: 10 }", true), ("//total: { greater_than: 12.5 }", false),
      ("//total: 12.5", true), ("'//item[1]': { in: [2.0] }", true), ("//total: 13", false),
      ("//total: '12.5'", false), ("//total: { between: [12, 13] }", true),
      ("//total: { equals: 12, within: 1 }", true), ("//total: { matches: '^12' }", true),
      ("//total: { contains: '.5' }", true), ("//total: { starts_with: 13 }", false),
      ("//item: '10'", true), ("//item: 3", false), ("//item: [2, 10]", true),
      ("//item: [10, 2]", false),
      ("//item: { length: 2 }", true), ("//item: { length: 1 }", true),
      ("//item: { length: 3 }", false),
      ("//item: { each: { greater_than: 1 } }", true),
      ("//item: { each: { greater_than: 2 } }", false),
      ("//item: { any: 10 }", true), ("//item: { any: 11 }", false),
      ("//item: { contains: [10] }", true),
      ("//item: { contains: 11 }", false), ("//item: { in: [1, 2] }", true),
      ("//item: { in: [1, 3] }", false),
      ("//item: { not: 3 }", true), ("//item: { not: 10 }", false),
      ("//item: { exists: true }", true),
      ("//item: { exists: false }", false), ("//items: { exists: true }", false),
      ("//items: { absent: true }", true),
      ("//item: { absent: true }", false), ("//items: { length: 0 }", true),
      ("//items: { not: 3 }", false),
      ("//items: { any_of: [{ absent: true }, { equals: 3 }] }", true),
      ("//items: { each: 3 }", false),
      ("//note: { empty: true }", true), ("//total: { empty: true }", false),
      ("//total: { empty: false }", true),
      ("//items: { empty: true }", false), ("boolean(//item): true", true),
      ("boolean(//items): true", false),
      ("string(//total): '12.50'", true), ("\"concat(//item, '-', //total)\": 2-12.50", true),
      ("name(/*): order", true), ("//item/@sku: { any_of: [B2, C3] }", true),
      ("'//item[2]/@sku': B2", true),
      ("//item: { all_of: [2, { not: 3 }] }", true),
      ("//item: { all_of: [2, { not: 10 }] }", false),
      ("namespaces: { o: urn:orders }, //o:order/@id: 42", true),
      ("namespaces: { o: urn:other }, //o:order/@id: 42", false),
      ("//x:order/@id: 42", false), ("'//*[local-name()=\"order\"]/@id': 42", true),
      ("//order/@id: 42, count(//item): 2", true), ("//order/@id: 42, count(//item): 3", false),
    ])
  func paths(condition: String, holds: Bool) throws {
    let found = try mismatches("{ xml: { \(condition) } }")
    #expect(found.isEmpty == holds, "\(condition): \(found.map(\.message))")
    guard holds else { return }
    #expect(try !mismatches("{ not: { xml: { \(condition) } } }").isEmpty, "\(condition)")
  }

  @Test(
    "The opposite holds where what is there does not meet the condition",
    arguments: [
      "//order/@id: 43", "count(//item): 3", "//total: { less_than: 12 }", "//item: [10, 2]",
      "boolean(//items): true", "//item: 3",
    ])
  func opposites(condition: String) throws {
    #expect(try mismatches("{ not: { xml: { \(condition) } } }").isEmpty)
    #expect(try !mismatches("{ xml: { \(condition) } }").isEmpty)
  }

  @Test(
    "A text says a number however it is written",
    arguments: [
      ("007", true), ("+7", true), ("7.0", true), ("7e0", true), ("70", false), ("x", false),
    ])
  func numbers(text: String, says: Bool) throws {
    let output = "<a><d>\(text)</d></a>"
    #expect(try mismatches("{ xml: { //d: 7 } }", output).isEmpty == says)
    #expect(try mismatches("{ xml: { //d: { in: [7] } } }", output).isEmpty == says)
    #expect(try mismatches("{ xml: { //d: { not: 7 } } }", output).isEmpty == !says)
  }

  @Test("An infinite number has its sign")
  func infinity() throws {
    #expect(try mismatches("{ xml: { '-1 div count(//nope)': -Infinity } }").isEmpty)
    #expect(try !mismatches("{ xml: { '-1 div count(//nope)': Infinity } }").isEmpty)
  }

  @Test("A document is equal whatever way it is written")
  func documents() throws {
    let same =
      "'<o:order xmlns:o=\"urn:orders\" id=\"42\"><o:item sku=\"A1\"><![CDATA[2]]></o:item><o:item sku=\"B2\">1&#48;</o:item><o:total>12.50</o:total><o:note></o:note></o:order>'"
    let other = same.replacing("12.50", with: "12.60")

    #expect(try mismatches("{ xml: \(same) }").isEmpty)
    #expect(try mismatches("{ xml: { equals: \(same) } }").isEmpty)
    #expect(try !mismatches("{ not: { xml: \(same) } }").isEmpty)
    #expect(try mismatches("{ not: { xml: \(other) } }").isEmpty)
    let found = try mismatches("{ xml: \(other) }")
    #expect(found.count == 1)
    #expect(found.first?.message.hasPrefix("expected XML equal to ") == true)
    #expect(found.first?.diff.contains("-  <o:total>12.60</o:total>") == true, "\(found[0].diff)")
    #expect(found.first?.diff.contains("+  <o:total>12.50</o:total>") == true, "\(found[0].diff)")
  }

  @Test("A text that is no XML meets neither a condition nor its opposite, and shows where")
  func malformed() throws {
    for condition in ["{ xml: { //a: 1 } }", "{ not: { xml: { //a: 1 } } }", "{ xml: <a/> }"] {
      let found = try mismatches(condition, "<a>\n<b></a>\n")
      #expect(found.count == 1)
      #expect(
        found.first?.message
          == "expected XML, but line 2, column 4: </a> does not close <b>, which begins in line 2")
    }
    #expect(
      try mismatches("{ xml: { //a: 1 } }", "<a>\n<b></a>\n").first?.diff == ["line 2: <b></a>"])
    #expect(try !mismatches("{ xml: <a/> }", "").isEmpty)
    #expect(try mismatches("{ any_of: [{ empty: true }, { xml: <a/> }] }", "").isEmpty)
  }

  @Test("A failure shows the nodes that are there, and the nearest ones where there are none")
  func failures() throws {
    let one = try mismatches("{ xml: { //total: 13 } }")
    #expect(one.first?.message == "//total: expected 13")
    #expect(one.first?.actual == "\"12.50\"")
    #expect(one.first?.diff == ["line 5: <total>12.50</total>"])

    let several = try mismatches("{ xml: { //item: 3 } }")
    #expect(several.first?.actual == #"["2","10"]"#)
    #expect(
      several.first?.diff
        == ["line 3: <item sku=\"A1\">2</item>", "line 4: <item sku=\"B2\">10</item>"])

    let none = try mismatches("{ xml: { //order/ttal: 13 } }")
    #expect(none.first?.actual == "nothing: //order finds 1 node, and it has no \"ttal\"")
    #expect(none.first?.help == "did you mean \"total\"?")
    #expect(none.first?.diff.first?.hasPrefix("line 2: <order id=\"42\"") == true)

    let each = try mismatches("{ xml: { //order/@id: 1, //total: 1, count(//item): 2 } }")
    #expect(each.map(\.message) == ["//order/@id: expected 1", "//total: expected 1"])
  }

  @Test(
    "Mistakes are found before the run, with their place",
    arguments: [
      ("{ xml: { '//order[': 1 } }", "\"//order[\" is not XPath: column 9: expected a path", 2, 37),
      ("{ xml: { coun(//a): 1 } }", "XPath 1.0 has no function \"coun\"", 2, 28),
      (
        "{ xml: { namespaces: { s: urn:s }, //t:a: 1 } }",
        "the prefix \"t\" is not among \"namespaces\"", 2, 54
      ),
      ("{ xml: '<a>' }", "the document to compare with is not XML: line 1, column 4", 2, 26),
      (
        "{ xml: { equals: <a><b></a> } }",
        "the document to compare with is not XML: line 1, column 7", 2, 36
      ),
      ("{ xml: { namespaces: { s: '' }, //s:a: 1 } }", "stands for no namespace", 2, 45),
      (
        "{ xml: { //item = 99: { exists: true } } }",
        "gives no nodes, so that what it gives always exists",
        2, 51
      ),
      ("{ xml: { count(//a): { absent: true } } }", "\"count(//a)\" gives no nodes", 2, 50),
    ])
  func mistakes(condition: String, message: String, line: Int, column: Int) throws {
    let errors = try Samples.errors("target: { command: [x] }\nexpect: { stdout: \(condition) }")
    #expect(errors.count == 1, "\(errors.map(\.message))")
    #expect(errors.first?.message.contains(message) == true, "\(errors.map(\.message))")
    #expect(errors.first?.range?.line == line)
    #expect(errors.first?.range?.column == column, "\(condition)")
    #expect(errors.first?.help?.isEmpty == false)
  }

  @Test("What no value meets is told below a path as below one into JSON")
  func review() throws {
    let result = try Samples.plan(
      "target: { command: [x] }\nexpect: { stdout: { xml: { //a: { all_of: [{ less_than: 1 }, { greater_than: 2 }] } } } }"
    )
    #expect(
      result.diagnostics.contains { $0.message.contains("less than") },
      "\(result.diagnostics.map(\.message))")
  }
}
