@testable import Patterns
@testable import ScenarioPlan
import Testing

@Suite("Signals by name")
struct SignalNameTests {
  @Test(
    "Real-time signals count from both ends, and have one name each",
    arguments: [
      ("RTMIN", "RTMIN", 34), ("SIGRTMIN+1", "RTMIN+1", 35), ("RTMIN+15", "RTMIN+15", 49),
      ("RTMIN+16", "RTMAX-14", 50), ("RTMAX-30", "RTMIN", 34), ("RTMAX", "RTMAX", 64),
      ("RTMAX-1", "RTMAX-1", 63), ("TERM", "TERM", 15),
    ])
  func names(text: String, name: String, number: Int32) throws {
    let signal = try SignalName.named(text)
    #expect(signal.name == name)
    #expect(signal.number == number)
    #expect(SignalName.name(of: number) == name)
  }

  @Test(
    "What goes beyond them is no signal",
    arguments: [
      "RTMIN+31", "RTMAX-31", "RTMIN-1", "RTMAX+1", "RTMIN+", "RTMIN+x", "RTMIN+ 1", "RT", "32",
    ])
  func unknown(text: String) {
    #expect(throws: PatternError.self) { try SignalName.named(text) }
  }
}
