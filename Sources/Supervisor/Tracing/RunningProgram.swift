internal import CSupervisor
internal import Glibc

/// What a process runs, in its address space: gone when it runs another program (execve(2)).
final class RunningProgram {
  private let process: ThreadIdentifier
  /// Program and arguments.
  let arguments: [String]
  /// The program's name without its folder.
  let name: String
  /// What was mapped into it; `nil` until it runs under the supervisor's eyes.
  var image: InjectedImage?
  /// True if it has reached its own first instruction, behind the dynamic loader.
  var hasEntered = false
  /// The byte that stood where the breakpoint at its entry stands.
  var entryBreakpoint: (address: UInt64, original: UInt8)?
  /// The functions that are watched in it.
  var functions: Breakpoints?
  /// Its path, once somebody has asked.
  var path: String?
  /// What the addresses of its code are in files, as far as somebody has asked.
  var sites: [UInt64: String] = [:]
  /// What it was told of its dumpable flag (prctl(2)), where that is kept from the kernel.
  var dumpableFlag = DumpableFlag.on
  /// True if it was started among many at one instant, and has not read the clock yet.
  var isNewcomer = false
  /// How it got to know whom it may trust.
  let trust: TrustUse
  private var slotsInUse: Set<Int> = []
  private var lastExecArea = 0
  private let memories: OpenMemories
  private var openMemory: TargetMemory?
  private var wasMemoryUsed = false
  /// A descriptor of the process, which is open no longer than the memory.
  private var openProcess: Int32 = -1

  /// A program that begins.
  init(of process: ThreadIdentifier, arguments: [String], memories: OpenMemories) {
    self.process = process
    self.memories = memories
    self.arguments = arguments
    let path = arguments.first ?? "?"
    name = path.split(separator: "/").last.map(String.init) ?? path
    trust = TrustUse()
  }

  /// The same program, as a child of fork(2) runs it on.
  init(of process: ThreadIdentifier, forkedFrom other: RunningProgram, memories: OpenMemories) {
    self.process = process
    self.memories = memories
    arguments = other.arguments
    name = other.name
    image = other.image
    hasEntered = other.hasEntered
    entryBreakpoint = other.entryBreakpoint
    functions = other.functions
    path = other.path
    sites = other.sites
    dumpableFlag = other.dumpableFlag
    trust = TrustUse(inheriting: other.trust)
  }

  deinit { closeProcess() }

  /// The memory; `nil` if it is gone.
  var memory: TargetMemory? {
    wasMemoryUsed = openMemory != nil
    if openMemory == nil { openMemory = memories.open(process, for: self) }
    return openMemory
  }

  /// Closes the memory unless somebody has used it since it was opened or this was asked last.
  ///
  /// It is opened again when it is looked at next: a process has one address space for each program.
  ///
  /// - Returns: whether it is closed.
  func closeMemoryUnlessUsed() -> Bool {
    defer { wasMemoryUsed = false }
    if wasMemoryUsed || hasNoName { return false }
    openMemory = nil
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
    if openProcess < 0, memory != nil { openProcess = scenario_open_process(process.number) }
    return openProcess
  }

  /// Closes what is open of other processes, as this one needs descriptors.
  func closeOthers() { memories.closeAll() }

  private func closeProcess() {
    if openProcess >= 0 { close(openProcess) }
    openProcess = -1
  }

  /// A scratch slot that nobody uses; the first one if all are in use, which takes more threads in
  /// one kind of call at the same time than there are slots.
  func takeSlot() -> Int {
    let slot = (0..<InjectedImage.slotCount).first { !slotsInUse.contains($0) } ?? 0
    slotsInUse.insert(slot)
    return slot
  }

  /// The number of an area for the environment of a program; they are used in turn, because children of
  /// vfork share them.
  func takeExecArea() -> Int {
    lastExecArea = (lastExecArea + 1) % InjectedImage.execAreaCount
    return lastExecArea
  }

  /// A scratch slot is used no more.
  func releaseSlot(_ slot: Int) { slotsInUse.remove(slot) }
}
