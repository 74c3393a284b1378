@testable import Patterns
import Testing

@Suite("Documents of XML")
struct XMLDocumentTests {
  private func isEqual(_ left: String, _ right: String) throws -> Bool {
    XMLComparison(expected: try XMLDocument(left), actual: try XMLDocument(right)).isEqual
  }

  private func error(_ text: String) -> XMLParseError? {
    do throws(XMLParseError) {
      _ = try XMLDocument(text)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "Two spellings of one document are equal",
    arguments: [
      (#"<a x="1" y="2"/>"#, #"<a y='2' x='1'></a>"#),
      ("<a><b>1</b><c/></a>", "<?xml version=\"1.0\"?>\n<a>\n  <b> 1\r\n</b>\r\n  <c />\n</a>\n"),
      ("<a>x &amp; y</a>", "<a><![CDATA[x & y]]></a>"),
      ("<a>x</a>", "<a><!-- one -->x<?pi two?></a>"),
      ("<a>A&lt;</a>", "<a>&#65;&#x3C;</a>"),
      (
        #"<a xmlns="urn:x"><b/></a>"#, #"<p:a xmlns:p="urn:x"><p:b/></p:a>"#
      ),
      (
        #"<s:a xmlns:s="urn:x" xmlns:t="urn:unused"/>"#, #"<a xmlns="urn:x"/>"#
      ),
      (
        #"<a xmlns="urn:x" xmlns:k="urn:k" k:v="1"/>"#,
        #"<z:a xmlns:z="urn:x" xmlns:y="urn:k" y:v="1"/>"#
      ),
      ("<!DOCTYPE a [<!ENTITY x \"]>\"> <!-- ' --> ]><a/>", "<a/>"),
      ("<é>ü</é>", "<é>&#252;</é>"),
    ])
  func equal(left: String, right: String) throws {
    #expect(try isEqual(left, right))
    #expect(try isEqual(right, left))
  }

  @Test(
    "What says something else is not equal",
    arguments: [
      ("<a><b/><c/></a>", "<a><c/><b/></a>"), ("<a>1</a>", "<a>2</a>"),
      (#"<a x="1"/>"#, #"<a x="1" y="2"/>"#), (#"<a x="1"/>"#, #"<a x=" 1"/>"#),
      ("<a/>", "<b/>"), (#"<a xmlns="urn:x"/>"#, #"<a xmlns="urn:y"/>"#),
      (#"<a xmlns="urn:x"/>"#, "<a/>"), (#"<a xmlns:p="urn:x" p:v="1"/>"#, #"<a v="1"/>"#),
      ("<a>x<b/></a>", "<a><b/>x</a>"), ("<a>&lt;b/&gt;</a>", "<a><b/></a>"),
      (#"<a xml:space="preserve"> x</a>"#, #"<a xml:space="preserve">x</a>"#),
      (
        #"<a xmlns="urn:x"><b xmlns=""/></a>"#, #"<a xmlns="urn:x"><b/></a>"#
      ),
    ])
  func unequal(left: String, right: String) throws {
    #expect(try !isEqual(left, right))
    #expect(try !isEqual(right, left))
  }

  @Test(
    "A text that is not XML is refused where it goes wrong",
    arguments: [
      ("", 1, 1, "expected an element, found the end"), ("x", 1, 1, "expected a tag, found \"x\""),
      ("{\"a\": 1}", 1, 1, "expected a tag"),
      ("<a>\n<b>\n</a>", 3, 1, "</a> does not close <b>, which begins in line 2"),
      ("<a>\n  <b>", 2, 6, "the document ends within <b>"),
      ("<a/><b/>", 1, 5, "one outermost element"),
      ("<a/>x", 1, 5, "expected the end of the document"), ("</a>", 1, 1, "closes nothing"),
      ("<a b/>", 1, 4, "\"b\" of <a> has no value"), ("<a b=1/>", 1, 6, "not in quotes"),
      ("<a b='1' b='2'/>", 1, 10, "the attribute \"b\" twice"),
      ("<a xmlns:p='u' xmlns:q='u' p:b='1' q:b='2'/>", 1, 36, "twice"),
      ("<a b='1'c='2'/>", 1, 9, "expected white space"), ("<a b='<'/>", 1, 7, "&lt;"),
      ("<a>x & y</a>", 1, 6, "&amp;"), ("<a>&nbsp;</a>", 1, 4, "\"&nbsp;\" is not known"),
      ("<a>&#0;</a>", 1, 4, "is no character"), ("<a>&#xD800;</a>", 1, 4, "is no character"),
      ("<a>\u{1}</a>", 1, 4, "U+0001"), ("<a>]]></a>", 1, 4, "]]&gt;"),
      ("<a><!-- x -- y --></a>", 1, 11, "a comment cannot hold"), ("<a><!-- x</a>", 1, 4, "no end"),
      ("<a><![CDATA[x</a>", 1, 4, "no end"), ("<1a/>", 1, 2, "the name of an element"),
      ("<p:a/>", 1, 2, "the prefix \"p\" of \"p:a\" is not declared"),
      ("<a:b:c xmlns:a='u'/>", 1, 2, "is no name"),
      (" <?xml version='1.0'?><a/>", 1, 2, "beginning"),
      ("<!DOCTYPE a [", 1, 1, "no end"), ("<a/><!DOCTYPE a>", 1, 5, "once"),
      ("<é>&é", 1, 4, "&amp;"),
    ])
  func mistakes(text: String, line: Int, column: Int, message: String) throws {
    let found = try #require(error(text), "\(text)")

    #expect(found.message.contains(message), "\(found.message)")
    #expect((found.line, found.column) == (line, column), "\(text): \(found)")
  }

  @Test("The entities of a document type are never read, whatever they would grow to")
  func entities() {
    let bomb = (1...9).map { number in
      "<!ENTITY lol\(number) \"" + String(repeating: "&lol\(number - 1);", count: 10) + "\">"
    }
    let text = "<!DOCTYPE a [<!ENTITY lol0 \"lol\">\(bomb.joined())]><a>&lol9;</a>"
    let outside = "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>"

    #expect(error(text)?.message.contains("\"&lol9;\" is not known") == true)
    #expect(error(outside)?.message.contains("\"&x;\" is not known") == true)
    #expect(error("<!DOCTYPE a SYSTEM \"http://a.test/a.dtd\"><a/>") == nil)
  }

  @Test("Elements nest as deep as is allowed, and no deeper")
  func depth() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }
    let deepest = nested(XMLDocument.maximumDepth)

    #expect(try isEqual(deepest, deepest))
    #expect(error(nested(XMLDocument.maximumDepth + 1))?.message.contains("nest deeper") == true)
    #expect(
      error(String(repeating: "<a>", count: 1_000_000))?.message.contains("nest deeper") == true)
    let declared = "<a" + (0..<300).map { " xmlns:p\($0)='u'" }.joined() + "/>"
    #expect(error(declared)?.message.contains("namespaces") == true)
  }

  @Test(
    "Bytes are read in the encoding that they say",
    arguments: [
      (Array("\u{feff}<a>ä</a>".utf8), true), (Array("<a>ä</a>".utf16).bigEndian, true),
      ([0xFE, 0xFF] + Array("<a>ä</a>".utf16).bigEndian, true),
      ([0xFF, 0xFE] + Array("<a>ä</a>".utf16).littleEndian, true),
      (
        Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8) + [0xE4] + Array("</a>".utf8),
        true
      ),
      (
        Array("<?xml version='1.0' encoding=\"windows-1252\"?><a>".utf8) + [0xE4]
          + Array("</a>".utf8), true
      ),
      (Array("<?xml version='1.0' encoding='utf-16'?><a>ä</a>".utf8), true),
      (Array("<a>".utf8) + [0xE4] + Array("</a>".utf8), false),
      (Array("<?xml version='1.0' encoding='EBCDIC'?><a>ä</a>".utf8), false),
      ([0xFE, 0xFF, 0x00], false),
    ] as [([UInt8], Bool)])
  func encodings(bytes: [UInt8], isRead: Bool) throws {
    guard isRead else {
      #expect(throws: XMLParseError.self) { try XMLDocument(bytes: bytes) }
      return
    }
    let comparison = XMLComparison(
      expected: try XMLDocument("<a>ä</a>"), actual: try XMLDocument(bytes: bytes))
    #expect(comparison.isEqual)
  }

  @Test("Any bytes are read or refused, and never more")
  func anyBytes() {
    let text = Array(
      "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><a x='1'>&amp;<![CDATA[b]]><!-- c --><p:d xmlns:p='u'/></a>"
        .utf8)
    var random = Numbers()
    for _ in 0..<3_000 {
      var bytes = text
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.removeSubrange(place...)
        }
        if bytes.isEmpty { break }
      }
      _ = try? XMLDocument(bytes: bytes)
    }
  }
}

extension [UInt16] {
  fileprivate var bigEndian: [UInt8] { flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } }
  fileprivate var littleEndian: [UInt8] { flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } }
}

/// The same numbers in each run.
private struct Numbers: RandomNumberGenerator {
  var state: UInt64 = 42

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 33)
  }
}
