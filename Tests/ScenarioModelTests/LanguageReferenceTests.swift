import Foundations
import ScenarioModel
@testable import ScenarioSyntax
import Testing

@Suite("The language's page of the book")
struct LanguageReferenceTests {
  @Test("Each definition has its place on it, once")
  func complete() {
    let placed = LanguageReference.sections.flatMap(\.definitions).map(\.name)

    #expect(placed.sorted() == LanguageDescription.definitions.map(\.name).sorted())
  }

  @Test("No name of a definition is shown as it is within the code")
  func titles() {
    let text = LanguageReference.text()
    let inner = LanguageDescription.definitions.map(\.name).filter { $0 != $0.lowercased() }

    #expect(inner.count > 10)
    for name in inner {
      #expect(!text.contains("[\(name)]"), "\(name)")
      #expect(!text.contains("## \(name)\n"), "\(name)")
    }
    let titles = LanguageDescription.definitions.map { ShapeText.title($0.name) }
    #expect(Set(titles).count == titles.count)
    #expect(ShapeText.title("chaosAmountOrSize") == "chaos amount or size")
    #expect(ShapeText.title("graphQLReply") == "graphql reply")
  }

  @Test("Each link leads to a heading")
  func links() throws {
    let text = LanguageReference.text()
    let headings = Set(
      text.split(separator: "\n").filter { $0.hasPrefix("## ") }
        .map { String($0.dropFirst(3)).replacing(" ", with: "-") })
    let links = text.matches(of: try Regex(#"\]\(#([^)]*)\)"#))
    #expect(links.count > 100)
    for match in links {
      let target = String(match.output[1].substring ?? "")
      #expect(headings.contains(target), "\(target)")
    }
  }

  @Test("Each task names a key that the language has there", arguments: LanguageTask.all.indices)
  func tasks(index: Int) {
    let task = LanguageTask.all[index]
    guard
      case .map(let keys, _)? = LanguageDescription.definitions.first(where: {
        $0.name == task.definition
      })?.content
    else {
      Issue.record("there is no map \"\(task.definition)\"")
      return
    }
    #expect(keys.contains { $0.name == task.key }, "\(task.definition) has no \"\(task.key)\"")
  }

  @Test("Each example is a file without mistakes", arguments: LanguageExamples.all.keys.sorted())
  func examples(name: String) throws {
    let text = try #require(LanguageExamples.all[name])
    let read = ScenarioFile.parse(text: text + "\n", path: "example.yaml")

    #expect(LanguageDescription.definitions.contains { $0.name == name })
    #expect(read.diagnostics.map(\.message) == [])
    #expect(read.file != nil)
  }
}
