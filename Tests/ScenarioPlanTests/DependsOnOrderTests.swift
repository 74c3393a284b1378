import Foundations
import MockEngine
import OrderedCollections
import ScenarioModel
import ScenarioPlan
import Testing

/// Whether it matters which of several requests comes first.
struct DependsOnOrderTests {
  private let range = SourceRange(file: "test.yaml", line: 1, column: 1)

  private func reply(_ body: PlannedReply.Body) -> PlannedReply {
    PlannedReply(status: 200, headers: [], body: body, delay: .zero, times: 1, range: range)
  }

  private func network(_ replies: [PlannedReply], repeats: Bool) -> PlannedNetwork {
    PlannedNetwork(
      unused: .fail,
      responses: [
        PlannedResponse(
          name: "GET /", match: .http(PlannedRequest(methods: ["GET"], url: nil)), replies: replies,
          repeats: repeats, range: range)
      ])
  }

  private func expression(_ steps: [PathStep], root: String = "request") -> PlannedText {
    PlannedText(segments: [
      .literal("n "), .run(RunExpression(root: root, steps: steps, range: range)),
    ])
  }

  @Test("A queue depends on order; one reply for all requests does not")
  func queues() {
    #expect(!network([reply(.empty)], repeats: true).dependsOnOrder)
    #expect(network([reply(.empty)], repeats: false).dependsOnOrder)
    #expect(network([reply(.empty), reply(.empty)], repeats: true).dependsOnOrder)
  }

  @Test("A reply that counts requests depends on order, wherever it does")
  func counting() {
    let counts = expression([.key("count")])
    var header = reply(.empty)
    header.headers = [PlannedVariable(name: "x", value: counts)]

    #expect(network([reply(.text(counts))], repeats: true).dependsOnOrder)
    #expect(network([reply(.json(.list([.text(counts)])))], repeats: true).dependsOnOrder)
    #expect(network([reply(.json(.map(["a": .text(counts)])))], repeats: true).dependsOnOrder)
    #expect(network([reply(.text(expression([])))], repeats: true).dependsOnOrder)
    #expect(network([header], repeats: true).dependsOnOrder)
  }

  @Test("A reply that tells what was asked does not")
  func telling() {
    let path = expression([.key("path"), .key("count")])

    #expect(!network([reply(.text(path))], repeats: true).dependsOnOrder)
    #expect(!network([reply(.json(.text(path)))], repeats: true).dependsOnOrder)
    #expect(
      !network([reply(.text(expression([], root: "dir")))], repeats: true).dependsOnOrder)
  }
}
