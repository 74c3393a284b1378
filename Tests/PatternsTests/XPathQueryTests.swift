@testable import Patterns
import Testing

@Suite("XPath")
struct XPathQueryTests {
  private static let shop = """
    <shop xmlns:m="urn:money" xml:lang="en-GB">
      <!-- two orders -->
      <order id="7" state="open"><item sku="A1"><price m:unit="EUR">9.50</price></item>
        <item sku="B2"><price m:unit="USD">3</price></item></order>
      <order id="8" state="paid"><item sku="A1"><price m:unit="EUR">0.5</price></item></order>
      <m:rate>1.1</m:rate><note>  a &amp; b <b>c</b> </note><?target data?>
    </shop>
    """

  /// The value of an expression as text, the texts of nodes with bars between them.
  private func value(_ path: String, in text: String = shop, _ namespaces: [String: String] = [:])
    throws -> String
  {
    let document = try XMLDocument(text)
    switch try #require(try XPathQuery(path).result(in: document, namespaces: namespaces)) {
    case .nodes(let nodes): return nodes.map { document.value(of: $0) }.joined(separator: "|")
    case .text(let text): return "'\(text)'"
    case .number(let number): return XPathNumber.text(of: number)
    case .truth(let truth): return String(truth)
    }
  }

  @Test(
    "Paths",
    arguments: [
      ("/shop/order/@id", "7|8"), ("//@id", "7|8"), ("//item/@sku", "A1|B2|A1"),
      ("//order[2]/@id", "8"),
      ("//order[last()]/@id", "8"), ("//order[@state='paid']/@id", "8"),
      ("//item[price > 3]/@sku", "A1"),
      ("//item[1]/@sku", "A1|A1"), ("(//item)[2]/@sku", "B2"),
      ("//item[position() = 2]/@sku", "B2"),
      ("//price/../@sku", "A1|B2|A1"), ("//price/ancestor::order/@id", "7|8"),
      ("//order[item[2]]/@id", "7"),
      ("//item[2]/preceding-sibling::item/@sku", "A1"),
      ("//order[1]/following-sibling::order/@id", "8"),
      ("//price/ancestor::*[1]/@sku", "A1|B2|A1"), ("//rate/preceding::price[1]", "0.5"),
      ("//order[1]/following::price", "0.5"), ("/", "9.50\n    3\n  0.5\n  1.1  a & b c"),
      ("//order[1]//price | //rate", "9.50|3|1.1"), ("//nothing", ""), ("/order", ""),
      ("//note/text()", "a & b|"),
      ("//note", "a & b c"), ("//comment()", "two orders"),
      ("//processing-instruction('target')", "data"),
      ("//processing-instruction('other')", ""), ("//*[@*[. = '7']]/@state", "open"),
      ("//self::b", "c"),
      ("//order[not(item[2])]/@id", "8"), ("//order[@id = 7 or @id = 8][2]/@id", "8"),
      ("/shop/child::order/attribute::id", "7|8"), ("//order/./@id", "7|8"),
      ("//b/parent::note/b", "c"),
      ("//order[item/@sku = 'B2']/@id", "7"), ("//item[@sku = (//item)[3]/@sku]/price", "9.50|0.5"),
      ("//*[local-name() = 'rate']", "1.1"), ("//item[.//price < 1]/@sku", "A1"), ("//div", ""),
    ])
  func paths(path: String, expected: String) throws {
    #expect(try value(path) == expected)
  }

  @Test(
    "Functions and operators",
    arguments: [
      ("count(//item)", "3"), ("count(//item) = 3", "true"), ("sum(//price)", "13"),
      ("2 + 3 * 4", "14"),
      ("7 div 2", "3.5"), ("7 mod -2", "1"), ("-7 mod 2", "-1"), ("1 div 0", "Infinity"),
      ("0 div 0", "NaN"),
      ("- -3", "3"), ("-(1)", "-1"), ("floor(-1.5)", "-2"), ("ceiling(1.2)", "2"),
      ("round(2.5)", "3"), ("round(0.49999999999999994)", "0"),
      ("round(4503599627370497)", "4503599627370497"), ("round(-0.4)", "0"),
      ("number(true())", "1"), ("number(//price > 9)", "1"), ("number(1 div 0)", "Infinity"),
      ("- - -3", "-3"),
      ("count((//order | //order/@id)/descendant-or-self::node()[self::order or . = 7])", "3"),
      ("round(-2.5)", "-2"), ("number('x')", "NaN"), ("number(' 4.50 ')", "4.5"),
      ("number('1e3')", "NaN"),
      ("string(1000000000000000000000)", "'1000000000000000000000'"),
      ("string(0.0000001)", "'0.0000001'"),
      ("string(//order/@id)", "'7'"), ("string(//none)", "''"),
      ("concat('a', 1, true())", "'a1true'"),
      ("starts-with('abc', 'ab')", "true"), ("contains('abc', 'bc')", "true"),
      ("contains('abc', '')", "true"),
      ("substring-before('1999/04', '/')", "'1999'"), ("substring-after('1999/04', '/')", "'04'"),
      ("substring('12345', 2, 3)", "'234'"), ("substring('12345', 1.5, 2.6)", "'234'"),
      ("substring('12345', 0, 3)", "'12'"), ("substring('äöü', 2)", "'öü'"),
      ("string-length('äb')", "2"),
      ("normalize-space('  a \n b ')", "'a b'"), ("translate('bar', 'abc', 'AB')", "'BAr'"),
      ("translate('a-b', '-', '')", "'ab'"), ("not(//none)", "true"), ("boolean(//item)", "true"),
      ("lang('en')", "false"), ("count(//order[lang('en')])", "2"), ("name(//rate)", "'m:rate'"),
      ("local-name(//rate)", "'rate'"), ("namespace-uri(//m:rate)", "'urn:money'"),
      ("name(//m:rate)", "'m:rate'"),
      ("//price > 9", "true"), ("//price = //rate", "false"), ("//price != 3", "true"),
      ("not(//price = 4)", "true"),
      ("//none = //price", "false"), ("'a' = 'a' and 1 < 2 or false()", "true"),
      ("true() > false()", "true"),
      ("'1' = 1", "true"), ("//item[1]/price < //rate", "true"), ("1 <= 1 and 2 >= 2", "true"),
      (".5", "0.5"),
    ])
  func functions(path: String, expected: String) throws {
    #expect(try value(path) == expected)
  }

  @Test(
    "Names without a prefix mean every namespace, others what they are bound to or how they are written",
    arguments: [
      ("//rate", [:], "1.1"), ("//m:rate", [:], "1.1"), ("//x:rate", [:], ""),
      ("//x:rate", ["x": "urn:money"], "1.1"), ("//m:rate", ["m": "urn:other"], ""),
      ("//price/@unit", [:], "EUR|USD|EUR"), ("//price/@m:unit", [:], "EUR|USD|EUR"),
      ("//m:*", [:], "1.1"),
      ("//x:*", ["x": "urn:money"], "1.1"), ("/shop/@xml:lang", [:], "en-GB"),
      ("//m:order", [:], ""),
    ] as [(String, [String: String], String)])
  func namespaces(path: String, bound: [String: String], expected: String) throws {
    #expect(try value(path, in: Self.shop, bound) == expected)
  }

  @Test(
    "A text that is not XPath is refused where it goes wrong",
    arguments: [
      ("", 1, "empty"), ("//", 3, "expected a step"), ("//order[", 9, "expected a path"),
      ("//a]", 4, "the end"),
      ("//a[1", 6, "expected \"]\""), ("count(//a", 10, "expected \")\""), ("//a/[1]", 5, "a step"),
      ("coun(//a)", 1, "no function \"coun\""),
      ("ends-with(//a, 'x')", 1, "no function \"ends-with\""),
      ("count()", 1, "takes 1 argument, not 0"), ("count(1)", 1, "takes nodes"),
      ("'a", 1, "no end"),
      ("//a[@id=$x]", 9, "no variables"), ("child:://a", 8, "expected a name"),
      ("chld::a", 1, "no axis \"chld\""),
      ("namespace::a", 1, "namespaces are no nodes"), ("//a | 1", 1, "joins nodes"),
      ("(1)[1]", 4, "only nodes"),
      ("//a && //b", 5, "\"&\" means nothing"), ("a b", 3, "found \"b\""),
      ("//ä[", 5, "expected a path"),
      ("substring('a')", 1, "takes 2 or 3 arguments, not 1"), ("#", 1, "\"#\" means nothing"),
    ])
  func mistakes(path: String, column: Int, message: String) {
    do throws(XPathMistake) {
      _ = try XPathQuery.read(path)
      Issue.record("\(path) is read")
    } catch {
      #expect(error.reason.message.contains(message), "\(error.reason.message)")
      #expect(error.column == column, "\(path): \(error.reason.message)")
      #expect(!error.reason.help.isEmpty)
    }
  }

  @Test("A function that is misspelt is asked for, and one of later versions is said otherwise")
  func helps() {
    func help(_ path: String) -> String {
      do throws(PatternError) {
        _ = try XPathQuery(path)
        return ""
      } catch {
        return error.help
      }
    }
    #expect(help("cuont(//a)").contains("did you mean \"count\"?"))
    #expect(help("lower-case(//a)").contains("translate"))
    #expect(help("//a/parnt::b").contains("did you mean \"parent\"?"))
  }

  @Test("Depth and length of an expression are bounded")
  func bounds() {
    let deep = String(repeating: "(", count: 10_000) + "1" + String(repeating: ")", count: 10_000)
    let long = Array(repeating: "1", count: 10_000).joined(separator: " + ")
    let signs = String(repeating: "-", count: 10_000) + "1"

    #expect(throws: PatternError.self) { try XPathQuery(deep) }
    #expect(throws: PatternError.self) { try XPathQuery(long) }
    #expect(throws: Never.self) { try XPathQuery(signs) }
  }

  @Test("A path that would visit too many nodes is given up")
  func givenUp() throws {
    let text = "<a>" + String(repeating: "<b>1</b>", count: 200) + "</a>"
    let document = try XMLDocument(text)
    func isGivenUp(_ path: String) throws -> Bool {
      var evaluation = XPathEvaluation(document: document, namespaces: [:], remaining: 10_000)
      _ = evaluation.value(
        of: try XPathQuery(path).expression, at: XPathEvaluation.Context(node: 0))
      return evaluation.remaining <= 0
    }

    #expect(try isGivenUp("//b[count(//b) > 1]"))
    #expect(try isGivenUp("//b[preceding::b = 2]"))
    #expect(try !isGivenUp("count(//b)"))
    #expect(try !isGivenUp("//b = //b"))
  }

  @Test(
    "The nearest thing to a path that finds nothing",
    arguments: [
      ("//order/totl", "//order finds 2 nodes, and none has a \"totl\"", "did you mean \"total\"?"),
      ("//ordr", "the document has no \"ordr\"", "did you mean \"order\"?"),
      ("/orders", "the document has no \"orders\" outermost", nil),
      ("//order[@id='9']/total", "//order finds 2 nodes, and [@id='9'] holds for none", nil),
      ("//order/@idd", "//order finds 2 nodes, and none has a \"@idd\"", "did you mean \"id\"?"),
      ("//q:total", "the document has no \"q:total\"", "\"total\" is there, in no namespace"),
      ("/list/x", "/list finds 1 node, and it has no \"x\"", nil),
    ] as [(String, String, String?)])
  func nearest(path: String, reason: String, help: String?) throws {
    let query = try XPathQuery(path)
    let document = try XMLDocument(
      "<list><order id='7'><total>1</total></order><order id='8'><total>2</total></order></list>")
    let nearest = query.nearest(in: document)

    #expect(nearest.reason == reason)
    #expect(nearest.help?.hasPrefix(help ?? "?") ?? (help == nil), "\(nearest.help ?? "")")
  }

  @Test("A large document is searched at one go")
  func large() throws {
    let item =
      "<item sku=\"A1\"><name>a thing that is sold &amp; bought</name><price>12.50</price></item>\n"
    let text = "<list>" + String(repeating: item, count: 10_000) + "</list>"
    let document = try XMLDocument(text)

    guard case .number(10_000)? = try XPathQuery("count(//item[@sku='A1'])").result(in: document)
    else {
      throw Failure()
    }
    guard case .number(125_000)? = try XPathQuery("sum(//price)").result(in: document) else {
      throw Failure()
    }
  }

  private struct Failure: Error {}

  @Test("Texts that look the same and have other bytes are neither equal nor alike")
  func bytes() throws {
    let text = "<a><b>caf\u{E9}</b><c>cafe\u{301}</c></a>"
    #expect(try value("//b = //c", in: text) == "false")
    #expect(try value("//b != //c", in: text) == "true")
  }

  @Test("Attributes count as visited, also where something is searched behind them")
  func attributesCount() throws {
    let attributes = (0..<6_000).map { "a\($0)='x'" }.joined(separator: " ")
    let document = try XMLDocument(
      "<r \(attributes)>\(String(repeating: "<i/>", count: 6_000))</r>")
    for path in ["count(//i[../@x])", "count(//i[lang('en')])", "count(//i[../i])"] {
      #expect(try XPathQuery(path).result(in: document) == nil, "\(path)")
    }
  }

  @Test("The texts of nodes in one another are read up to a bound")
  func longTexts() throws {
    let depth = 900
    let text = String(repeating: "x", count: 100_000)
    let document = try XMLDocument(
      String(repeating: "<a>", count: depth) + text + String(repeating: "</a>", count: depth))
    guard case .nodes(let nodes)? = try XPathQuery("//a").result(in: document) else {
      Issue.record("no nodes")
      return
    }
    #expect(nodes.count == depth)
    #expect(document.values(of: nodes) == nil)
    #expect(
      document.values(of: Array(nodes.prefix(3)))?.map(\.count) == [100_000, 100_000, 100_000])
  }
}
