@testable import Foundations
@testable import ScenarioSyntax
import Testing

@Suite("Text as YAML")
struct YAMLQuotingTests {
  @Test(
    "Quoted text reads back as the same text, whatever stands in it",
    arguments: [
      "", "a \"b\" \\c", "line\nline\r\n\ttab", "\u{0}\u{1b}[31m", "\u{7f}\u{80}\u{85}\u{9f}",
      "\u{feff}a\u{2028}b\u{2029}c", "\u{fffe}\u{1F600}é", "${{ dir }}",
    ])
  func quoted(text: String) throws {
    let quoted = YAMLQuoting.quoted(text)
    #expect(quoted.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{7f}" })
    #expect(!quoted.unicodeScalars.contains { [0x85, 0x2028, 0x2029, 0xfeff].contains($0.value) })
    let root = YAMLReader.read(SourceText(path: "f", bytes: Array("a: \(quoted)\n".utf8))).root
    guard case .mapping(let members)? = root?.content else {
      Issue.record("\(quoted) is not read")
      return
    }
    #expect(members.first?.value.scalarText == text)
  }

  @Test(
    "Lines become a block only where that reads back as the same text",
    arguments: [
      ("a\nb\n", true), ("a\n\nb", true), ("a\tb\nc", true), ("one", false), (" a\nb", false),
      ("\na\n", false), ("a\n\n", false), ("a\u{7f}\nb", false), ("a\u{feff}\nb", false),
      ("a\u{2028}b\nc", false),
    ])
  func block(text: String, isBlock: Bool) {
    let block = YAMLQuoting.block(text, indentation: 2)
    #expect((block != nil) == isBlock)
    guard let block else { return }
    let root = YAMLReader.read(SourceText(path: "f", bytes: Array("a: \(block)\n".utf8))).root
    guard case .mapping(let members)? = root?.content else {
      Issue.record("\(block) is not read")
      return
    }
    #expect(members.first?.value.scalarText == text)
  }
}
