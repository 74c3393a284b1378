import Foundations
import MockServer
import Testing

@testable import ScenarioRunner

@Suite("Requests that a failure tells of")
struct RequestLinesTests {
  private func requests(_ count: Int) -> [RecordedRequest] {
    (0..<count).map { number in
      RecordedRequest(
        number: number + 1, method: "GET", url: "http://h/\(number)", headers: [], body: [],
        bodyLength: 0, operation: nil, entry: nil, status: 200, time: .seconds(Int64(number)),
        delay: .zero)
    }
  }

  @Test("A few are all told, of many the first and their number")
  func bounded() {
    #expect(RequestLines.of([]) == [])
    #expect(
      RequestLines.of(requests(2)) == ["0s: GET http://h/0 → 200", "1s: GET http://h/1 → 200"])
    #expect(RequestLines.of(requests(50)).count == 50)
    #expect(RequestLines.of(requests(51)).suffix(2) == ["49s: GET http://h/49 → 200", "… 1 more"])
  }
}
