import Foundations
import ScenarioEvents
import ScenarioSyntax
import Testing

@testable import ScenarioRunner

@Suite("What texts of scenario files are to say")
final class TextRewritingTests {
  private let folder: String

  init() throws {
    folder = try TemporaryFolder(in: "/tmp", isKept: true).path
  }

  deinit {
    FileTree.remove(folder)
  }

  private func write(_ name: String) throws {
    try FileTree.write(Array("a: old\n".utf8), to: "\(folder)/\(name)", mode: 0o644)
  }

  private func read(_ name: String) throws -> String {
    String(decoding: try FileTree.read("\(folder)/\(name)"), as: UTF8.self)
  }

  private func edit(_ new: String, in file: String) -> LiteralEdit {
    LiteralEdit(
      range: SourceRange(file: "\(folder)/\(file)", line: 1, column: 4), old: "old", new: new)
  }

  private func perform(_ wishes: [(String, LiteralEdit)]) -> [String: [Failure]] {
    var rewriting = TextRewriting()
    for (identifier, edit) in wishes { rewriting.add([edit], of: identifier) }
    return rewriting.perform { _ in [] }.failures
  }

  @Test("Cases that want the same, one final newline aside, get it")
  func agreement() throws {
    try write("a.yaml")
    let failures = perform([("x", edit("new", in: "a.yaml")), ("y", edit("new\n", in: "a.yaml"))])
    #expect(failures.isEmpty)
    #expect(try read("a.yaml") == "a: new\n")
  }

  @Test("Where one wants what is there, those that want something else fail, and no others")
  func disagreement() throws {
    try write("a.yaml")
    try write("b.yaml")
    let failures = perform([
      ("x", edit("new", in: "a.yaml")), ("y", edit("old", in: "a.yaml")),
      ("z", edit("new", in: "b.yaml")),
    ])
    #expect(Set(failures.keys) == ["x"])
    #expect(failures["x"]?.map(\.category) == [.error])
    #expect(failures["x"]?.first?.details == ["x: \"new\"", "y: \"old\""])
    #expect(try read("a.yaml") == "a: old\n")
    #expect(try read("b.yaml") == "a: new\n")
  }

  @Test("A file that cannot be written is an error of each case that wants a text in it to change")
  func missing() {
    let failures = perform([("x", edit("new", in: "no.yaml")), ("y", edit("new", in: "no.yaml"))])
    #expect(Set(failures.keys) == ["x", "y"])
    #expect(failures["y"]?.first?.message.hasPrefix("cannot write \"") == true)
  }

  @Test("Without a change there is nothing to do")
  func nothing() {
    var rewriting = TextRewriting()
    rewriting.add([edit("old", in: "no.yaml")], of: "x")
    #expect(!rewriting.changes(for: "x"))
    let (files, failures) = rewriting.perform { _ in [] }
    #expect(files.isEmpty && failures.isEmpty)
  }
}
