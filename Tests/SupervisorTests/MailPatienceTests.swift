import Foundations
import Testing

@testable import Supervisor

@Suite("The patience of messages where threads take turns")
struct MailPatienceTests {
  private let start = Nanoseconds.seconds(100)

  @Test("A target that gets no processor is waited for, one that computes is not")
  func processorTime() {
    var patience = MailPatience()
    #expect(!patience.isOver(real: start, used: .seconds(7)))
    #expect(!patience.isOver(real: start + .seconds(20), used: .seconds(7) + .milliseconds(900)))
    #expect(patience.isOver(real: start + .seconds(21), used: .seconds(8) + .milliseconds(1)))
  }

  @Test("A target that the kernel holds is waited for half a minute")
  func realTime() {
    var patience = MailPatience()
    #expect(!patience.isOver(real: start, used: .zero))
    #expect(!patience.isOver(real: start + .seconds(30), used: .zero))
    #expect(patience.isOver(real: start + .seconds(31), used: .zero))
  }

  @Test("A message that came through leaves the next one its whole patience")
  func end() {
    var patience = MailPatience()
    #expect(!patience.isOver(real: start, used: .zero))
    patience.end()
    #expect(!patience.isOver(real: start + .seconds(31), used: .seconds(31)))
    #expect(!patience.isOver(real: start + .seconds(32), used: .seconds(31)))
  }
}
