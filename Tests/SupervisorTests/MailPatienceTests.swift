import Foundations
import Testing

@testable import Supervisor

@Suite("The patience of messages where threads take turns")
struct MailPatienceTests {
  /// Returns for each look whether patience is over then.
  ///
  /// - Parameter looks: real time and the processor time of the target, in milliseconds; `nil` where the message came
  ///   through.
  private func ends(_ looks: [(real: Int64, used: Int64)?]) -> [Bool] {
    var patience = MailPatience()
    return looks.map { look in
      guard let look else {
        patience.end()
        return false
      }
      return patience.isOver(real: .milliseconds(look.real), used: .milliseconds(look.used))
    }
  }

  @Test("A target that gets no processor is waited for, one that computes is not")
  func processorTime() {
    #expect(
      ends([(100_000, 7_000), (120_000, 7_900), (121_000, 8_001)]) == [false, false, true])
  }

  @Test("A target that the kernel holds is waited for half a minute")
  func realTime() {
    #expect(ends([(100_000, 0), (130_000, 0), (130_001, 0)]) == [false, false, true])
  }

  @Test("A message that came through leaves the next one its whole patience")
  func end() {
    #expect(
      ends([(100_000, 0), nil, (131_000, 31_000), (132_000, 31_000)])
        == [false, false, false, false])
  }
}
