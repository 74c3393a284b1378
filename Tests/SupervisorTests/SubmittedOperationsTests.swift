import Foundations
import Testing

@testable import Supervisor

@Suite("Operations that the kernel does by itself")
struct SubmittedOperationsTests {
  @Test("Completions are counted over the end of the ring")
  func ring() {
    var queue = SubmittedOperations.Queue(tail: 126)
    queue.recordSubmission(of: 5)
    queue.recordCompletions(until: 127, size: 128)
    #expect(queue.pending == 4)
    queue.recordCompletions(until: 3, size: 128)
    #expect(queue.pending == 0)
    queue.recordCompletions(until: 3, size: 128)
    #expect(queue.pending == 0)
  }

  @Test("What is complete before its call has returned is not waited for")
  func early() {
    var queue = SubmittedOperations.Queue(tail: 0)
    queue.recordCompletions(until: 8, size: 128)
    #expect(queue.pending == -8)
    queue.recordSubmission(of: 8)
    #expect(queue.pending == 0)
  }

  @Test("A wait begins with the first look, and anew with each completion and submission")
  func patience() {
    var queue = SubmittedOperations.Queue(tail: 0)
    queue.recordSubmission(of: 3)
    #expect(queue.wait(at: .seconds(10)) == .zero)
    #expect(queue.wait(at: .seconds(12)) == .seconds(2))
    queue.recordCompletions(until: 1, size: 128)
    #expect(queue.wait(at: .seconds(13)) == .zero)
    #expect(queue.wait(at: .seconds(16)) == .seconds(3))
    queue.recordSubmission(of: 1)
    #expect(queue.wait(at: .seconds(17)) == .zero)
  }
}
