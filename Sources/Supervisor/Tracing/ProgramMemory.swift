internal import CSupervisor
internal import Glibc

/// The address space of a process, as far as it is open to the supervisor.
final class ProgramMemory {
  private let process: ThreadIdentifier
  private let memories: OpenMemories
  private var memory: TargetMemory?
  private var wasUsed = false
  /// A descriptor of the process, which is open no longer than the memory.
  private var descriptor: Int32 = -1

  /// - Parameters:
  ///   - process: whose it is.
  ///   - memories: all that are open.
  init(of process: ThreadIdentifier, memories: OpenMemories) {
    self.process = process
    self.memories = memories
  }

  deinit { closeProcess() }

  /// Returns the memory, opened on first use; `nil` if it is gone.
  func open() -> TargetMemory? {
    wasUsed = memory != nil
    if memory == nil { memory = memories.open(process, for: self) }
    return memory
  }

  /// Closes the memory unless it was used since it was opened or this was called last.
  ///
  /// It is opened again at its next use: a process has one address space for each program.
  ///
  /// - Returns: whether it is closed.
  func closeUnlessUsed() -> Bool {
    defer { wasUsed = false }
    if wasUsed || hasNoName { return false }
    memory = nil
    closeProcess()
    return true
  }

  /// True if the memory could not be opened again by the process's number: its first thread has ended before others.
  private var hasNoName: Bool {
    ThreadStateProbe(process: process.number, thread: process.number, keepsFilesOpen: false)
      .state() == .ended
  }

  /// A descriptor of the process (pidfd_open(2)), opened on first use; negative if the process is gone.
  func processDescriptor() -> Int32 {
    if descriptor < 0, open() != nil { descriptor = scenario_open_process(process.number) }
    return descriptor
  }

  /// Closes what is open of other processes, as this one needs descriptors.
  func closeOthers() { memories.closeAll() }

  private func closeProcess() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }
}
