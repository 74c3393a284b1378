internal import Foundations

/// The operations on files that targets have submitted to queues of the kernel's (io_submit(2)), on which it works while
/// all threads sleep.
///
/// A queue is a ring in the target's memory, to whose tail the kernel adds each completion.
final class SubmittedOperations: Interceptor {
  private struct Key: Hashable {
    let process: ThreadIdentifier
    /// The queue's number, which is the address of its ring.
    let address: UInt64
  }

  /// What is known of a queue.
  struct Queue {
    /// The number of operations that are not known to be complete; below zero while a call that has submitted some has
    /// not returned.
    private(set) var pending = 0
    /// The ring's tail at the last look.
    private var tail: UInt32
    /// True if it has been asked for events of descriptors, which may never come.
    var hasPolls = false
    /// The real time since which nothing has been completed; `nil` if that is not waited for.
    private var waitsSince: Nanoseconds?

    init(tail: UInt32) { self.tail = tail }

    /// Counts operations that a call has submitted.
    mutating func recordSubmission(of count: Int) {
      pending += count
      waitsSince = nil
    }

    /// Counts the completions since the last look; a ring has room for all that are pending, and one place more.
    mutating func recordCompletions(until tail: UInt32, size: UInt32) {
      let count = tail >= self.tail ? tail - self.tail : tail &+ size &- self.tail
      guard count > 0 else { return }
      pending -= Int(count)
      self.tail = tail
      waitsSince = nil
    }

    /// Returns for how long nothing has been completed, from the first look on.
    mutating func wait(at real: Nanoseconds) -> Nanoseconds {
      let since = waitsSince ?? real
      waitsSince = since
      return real - since
    }
  }

  /// `struct aio_ring` of the kernel's fs/aio.c, as far as it matters here.
  private typealias Ring = (
    identifier: UInt32, size: UInt32, head: UInt32, tail: UInt32, magic: UInt32
  )
  private static let magic: UInt32 = 0xa10a_10a1
  /// IOCB_CMD_POLL.
  private static let pollCommand: UInt16 = 5
  /// The offset of the command in `struct iocb`.
  private static let commandOffset: UInt64 = 16
  /// The maximum number of operations of a call that are looked at.
  private static let limit: UInt64 = 1_024

  private unowned let kernel: any TraceKernel
  private let now: () -> Nanoseconds
  private var queues: [Key: Queue] = [:]
  /// The queues that are no longer waited for, unless more is completed.
  private var givenUp: Set<Key> = []

  let filterRules: [Int: FilterRule] = [
    SystemCallNumber.ioSubmit: .trace, SystemCallNumber.ioDestroy: .trace,
  ]

  /// - Parameters:
  ///   - kernel: whose targets they are.
  ///   - now: the real time.
  init(kernel: any TraceKernel, now: @escaping () -> Nanoseconds = { RunnerClock.now() }) {
    self.kernel = kernel
    self.now = now
  }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    let process = call.tracee.process
    let key = Key(process: process.identifier, address: call.registers[argument: 0])
    guard call.number == SystemCallNumber.ioSubmit, let memory = process.memory,
      let ring = Self.ring(at: key.address, memory)
    else {
      forget(key)
      return .pass
    }
    if queues[key] == nil {
      for other in queues.keys where kernel.processes[other.process] == nil { forget(other) }
    }
    var queue = queues[key] ?? Queue(tail: ring.tail)
    queue.recordCompletions(until: ring.tail, size: ring.size)
    if !queue.hasPolls { queue.hasPolls = Self.polls(call.registers, memory) }
    queues[key] = queue
    return .watch { [self] registers in
      guard let count = registers?.result, count > 0 else { return }
      queues[key]?.recordSubmission(of: count)
      givenUp.remove(key)
    }
  }

  func programStarted(in process: ThreadIdentifier) {
    for key in queues.keys where key.process == process { forget(key) }
  }

  private func forget(_ key: Key) {
    queues[key] = nil
    givenUp.remove(key)
  }

  /// Returns whether all operations are complete, but for those that wait for descriptors, and those of which none has
  /// been completed for long.
  func areComplete() -> Bool {
    guard !queues.isEmpty else { return true }
    for (key, queue) in queues where queue.pending > 0 && !queue.hasPolls {
      guard let process = kernel.processes[key.process], let memory = process.memory,
        let ring = Self.ring(at: key.address, memory)
      else {
        // The process has ended, or runs another program.
        forget(key)
        continue
      }
      guard mustWait(key, ring) else { continue }
      guard queues[key]?.wait(at: now()) ?? .zero >= UnderWayAccount.patience,
        let pending = queues[key]?.pending
      else { return false }
      givenUp.insert(key)
      kernel.notice(
        "virtual time advanced although the kernel has not finished \(pending) operations on files (io_submit) of"
          + " \"\(process.programName)\": none has ended for \(UnderWayAccount.patience) of real time",
        of: process)
    }
    return true
  }

  /// Returns whether time must wait for a queue.
  private func mustWait(_ key: Key, _ ring: Ring) -> Bool {
    let before = queues[key]?.pending
    queues[key]?.recordCompletions(until: ring.tail, size: ring.size)
    let pending = queues[key]?.pending ?? 0
    if pending != before { givenUp.remove(key) }
    return pending > 0 && !givenUp.contains(key)
  }

  private static func ring(at address: UInt64, _ memory: TargetMemory) -> Ring? {
    guard let ring = memory.read(Ring.self, at: address), ring.magic == magic, ring.size > 0 else {
      return nil
    }
    return ring
  }

  /// Returns whether a call submits an operation that waits for a descriptor.
  private static func polls(_ registers: Registers, _ memory: TargetMemory) -> Bool {
    for index in 0..<min(registers[argument: 1], limit) {
      guard
        let operation = memory.read(UInt64.self, at: registers[argument: 2] &+ 8 &* index),
        let command = memory.read(UInt16.self, at: operation &+ commandOffset)
      else { return false }
      if command == pollCommand { return true }
    }
    return false
  }
}
