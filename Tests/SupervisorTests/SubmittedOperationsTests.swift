import Foundations
import Glibc
import Testing

@testable import Supervisor

@Suite("Operations that the kernel does by itself")
final class SubmittedOperationsTests {
  private static let submit = SystemCallNumber.ioSubmit

  private let kernel = FakeKernel()
  private let tracee: Tracee
  private var real = Nanoseconds.zero
  /// A queue's ring, an operation, and the address of that, in this process's memory, which stands for the target's.
  private let ring = UnsafeMutablePointer<UInt32>.allocate(capacity: 8)
  private let operation = UnsafeMutablePointer<UInt16>.allocate(capacity: 32)
  private let list = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)

  init() {
    let own = ThreadIdentifier(getpid())
    let process = TargetProcess(own, arguments: ["writer"], memories: OpenMemories())
    tracee = Tracee(own, of: process)
    kernel.processes[own] = process
    ring.initialize(repeating: 0, count: 8)
    (ring[1], ring[4]) = (128, 0xa10a_10a1)
    operation.initialize(repeating: 0, count: 32)
    list.initialize(to: UInt64(UInt(bitPattern: operation)))
  }

  deinit {
    ring.deallocate()
    operation.deallocate()
    list.deallocate()
  }

  /// Enters a call on the queue; what happens at its exit.
  private func enter(_ operations: SubmittedOperations, _ call: Int) -> (Int) -> Void {
    var registers = Registers()
    registers.systemCall = call
    registers[argument: 0] = UInt64(UInt(bitPattern: ring))
    registers[argument: 1] = 1
    registers[argument: 2] = UInt64(UInt(bitPattern: list))
    guard
      case .watch(let exit) = operations.enter(
        InterceptedCall(tracee: tracee, registers: registers))
    else { return { _ in } }
    return { result in
      registers.result = result
      exit(registers)
    }
  }

  private func operations() -> SubmittedOperations {
    SubmittedOperations(kernel: kernel) { self.real }
  }

  @Test(
    "Time waits for what is submitted until it is complete, also if that comes before the call returns"
  )
  func completions() {
    let operations = operations()
    let exit = enter(operations, Self.submit)
    #expect(operations.areComplete())
    exit(1)
    #expect(!operations.areComplete())
    ring[3] = 1
    #expect(operations.areComplete())

    let second = enter(operations, Self.submit)
    ring[3] = 2
    // Another thread's call sees the completion first.
    enter(operations, Self.submit)(-Int(EAGAIN))
    second(1)
    #expect(operations.areComplete())
  }

  @Test(
    "A call that fails, a queue that is gone, a process that has ended and a wait for a descriptor hold nothing up"
  )
  func others() {
    let operations = operations()
    enter(operations, Self.submit)(-Int(EAGAIN))
    #expect(operations.areComplete())

    enter(operations, Self.submit)(1)
    _ = enter(operations, SystemCallNumber.ioDestroy)
    #expect(operations.areComplete())

    enter(operations, Self.submit)(1)
    ring[4] = 0
    #expect(operations.areComplete())
    ring[4] = 0xa10a_10a1

    // Another program has a ring of its own at the same address.
    enter(operations, Self.submit)(1)
    ring[3] = 1
    operations.programStarted(in: tracee.identifier)
    ring[3] = 0
    enter(operations, Self.submit)(1)
    #expect(!operations.areComplete())
    ring[3] = 1
    #expect(operations.areComplete())

    enter(operations, Self.submit)(1)
    kernel.processes = [:]
    #expect(operations.areComplete())
    kernel.processes[tracee.identifier] = tracee.process

    operation[8] = 5
    enter(operations, Self.submit)(1)
    #expect(operations.areComplete())
  }

  @Test("What does not end is given up with a notice, until something ends or is submitted")
  func patience() {
    let operations = operations()
    enter(operations, Self.submit)(1)
    enter(operations, Self.submit)(1)
    #expect(!operations.areComplete())
    real = .milliseconds(2_999)
    #expect(!operations.areComplete())
    real = .seconds(3)
    #expect(operations.areComplete())
    #expect(operations.areComplete())
    #expect(kernel.notices.count == 1)
    #expect(
      kernel.notices.first?.contains(
        "has not finished 2 operations on files (io_submit) of \"writer\"") == true,
      "\(kernel.notices)")

    ring[3] = 1
    #expect(!operations.areComplete())
    real = .seconds(6)
    #expect(operations.areComplete())
    enter(operations, Self.submit)(1)
    #expect(!operations.areComplete())
  }

  @Test("Completions are counted over the end of the ring")
  func wrap() {
    var queue = SubmittedOperations.Queue(tail: 126)
    queue.recordSubmission(of: 5)
    queue.recordCompletions(until: 127, size: 128)
    #expect(queue.pending == 4)
    queue.recordCompletions(until: 3, size: 128)
    #expect(queue.pending == 0)
    queue.recordCompletions(until: 3, size: 128)
    #expect(queue.pending == 0)
  }
}
