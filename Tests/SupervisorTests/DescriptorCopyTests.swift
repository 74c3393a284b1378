import CSupervisor
import Testing

@testable import Supervisor

/// Other tests of this process make children as well, so that nothing can be said of how many there are.
@Suite("Copies of descriptors in children")
struct DescriptorCopyTests {
  @Test("While a child is announced there may be copies, and behind it the number is another one")
  func announced() async throws {
    let before = await Self.none()
    scenario_begin_copies()
    let during = DescriptorCopies.none
    scenario_end_copies()
    let after = await Self.none()

    #expect(during == nil)
    #expect(before < after)
  }

  private static func none() async -> UInt64 {
    while true {
      if let number = DescriptorCopies.none { return number }
      await Task.yield()
    }
  }
}
