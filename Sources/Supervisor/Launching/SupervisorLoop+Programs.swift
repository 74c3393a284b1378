internal import CSupervisor
internal import Glibc
internal import ScenarioModel

extension SupervisorLoop {
  /// A process runs a new program: its address space is fresh, its other threads are gone.
  func startProgram(in tracee: Tracee) {
    let process = tracee.process
    // execve(2) from another thread than the first: the caller takes the first one's number.
    for other in process.threads where other != tracee.identifier {
      // The caller's own number ends without a word.
      forget(other)
    }
    process.threads = [tracee.identifier]
    if case .waiting(let active) = tracee.state { timeline.cancel(active.ticket) }
    tracee.interruptedWait = nil
    tracee.unfinishedReceipt = nil
    tracee.nameQuestion = nil
    tracee.birth = nil
    tracee.following = nil
    tracee.passage = nil
    tracee.broadcast = nil
    tracee.settled = nil
    tracee.delayed = nil
    tracee.spin = SpinRecord()
    tracee.suspendedCalls = []
    forgetSocketWait(of: tracee)
    process.dropAddressSpace()
    forgetTimersAtExec(of: process.identifier)
    process.arguments = commandLine(of: process.identifier)
    tellWritten()
    report(
      .processStarted(process: process.identifier.number, arguments: process.arguments))
    startedPrograms += 1
    finishLaunch(of: process.identifier, status: nil)

    guard let registers = try? Registers.read(from: tracee.identifier) else { return }
    guard registers.isNative else {
      reportOutOfReach(process, reason: "\(process.programName) is not a 64-bit program")
      kill(process.identifier.number, SIGKILL)
      return
    }
    noteLostPrivileges(of: process)
    let watchesEntry =
      !faults.isEmpty || functions != nil || configuration.limits != nil
      || faults.hasProcessEntries
    let needsPreparation = template != nil || watchesEntry
    process.hasEntered = !watchesEntry
    tracee.state = needsPreparation ? .startingProgram : .running
    resume(tracee)
  }

  private func commandLine(of process: ThreadIdentifier) -> [String] {
    let text = SmallFile.read("/proc/\(process.number)/cmdline") ?? ""
    return text.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// What has become of a program that was to get its clock.
  private enum Preparation {
    /// It may begin.
    case ready
    /// It has been killed meanwhile.
    case gone
    /// It stays out of reach, for this reason.
    case failed(String)
  }

  /// At the exit of execve: maps the image, and sets a breakpoint at the program's own entry.
  func prepareProgram(in tracee: Tracee) {
    tracee.state = .running
    switch prepare(tracee) {
    case .ready:
      break
    case .gone:
      return
    case .failed(let reason):
      reportOutOfReach(tracee.process, reason: reason)
    }
    // Signals that came meanwhile: the first is delivered with this stop, the others by the kernel.
    let signals = tracee.postponedSignals
    tracee.postponedSignals = []
    for signal in signals.dropFirst() {
      _ = scenario_send_signal(
        tracee.process.identifier.number, tracee.identifier.number, signal)
    }
    resume(tracee, signal: signals.first ?? 0)
  }

  private func prepare(_ tracee: Tracee) -> Preparation {
    guard let registers = try? Registers.read(from: tracee.identifier) else { return .gone }
    guard let memory = tracee.process.memory,
      let vector = AuxiliaryVector(memory: memory, stackPointer: registers.stackPointer)
    else { return outcome(of: tracee, "its memory cannot be read by this user") }
    beginWatchingFunctions(of: tracee.process, vector: vector)
    seedProgram(of: tracee.process, vector, memory)
    if !tracee.process.hasEntered, let entry = vector[UInt64(AT_ENTRY)]?.value,
      let original = memory.read(UInt8.self, at: entry)
    {
      memory.write(Architecture.breakpoint, at: entry)
      tracee.process.entryBreakpoint = (entry, original)
    }
    guard let template else { return .ready }
    guard let header = vector[UInt64(AT_SYSINFO_EHDR)] else { return .failed("it has no vDSO") }
    let instruction = header.value + template.kernel.systemCallOffset
    guard
      let start = mapPages(
        template.length, in: tracee, registers: registers, instruction: instruction)
    else { return outcome(of: tracee, "its clock page cannot be mapped") }
    let image = InjectedImage(start: start, template: template)
    guard image.fill(memory, from: template, kernelHeader: header.value) else {
      return outcome(of: tracee, "its clock page cannot be written")
    }
    tracee.process.image = image
    if configuration.clock != nil {
      publishFirstClock(to: tracee.process)
      memory.write(image.header, at: header.address)
    }
    return .ready
  }

  /// What a failure means: of a process that has been killed, nothing.
  private func outcome(of tracee: Tracee, _ reason: String) -> Preparation {
    let isStopped = (try? Registers.read(from: tracee.identifier)) != nil
    return isStopped && tracees[tracee.identifier] === tracee ? .failed(reason) : .gone
  }

  /// Makes a stopped thread map anonymous pages that it can read and execute, the first of which it can
  /// write instead, and returns where.
  ///
  /// Its registers are put back.
  private func mapPages(
    _ length: Int, in tracee: Tracee, registers: Registers, instruction: UInt64
  ) -> UInt64? {
    func call(_ number: Int, _ arguments: [UInt64]) -> Int? {
      makeCall(number, arguments, in: tracee, registers, at: instruction)
    }
    let page = UInt64(SCENARIO_PAGE_SIZE)
    let protection = UInt64(PROT_READ | PROT_EXEC)
    let flags = UInt64(MAP_PRIVATE | MAP_ANONYMOUS)
    guard
      let start = call(
        SystemCallNumber.mmap, [0, UInt64(length), protection, flags, UInt64.max, 0]),
      start > 0, start % Int(page) == 0,
      call(
        SystemCallNumber.mprotect, [UInt64(start), page, UInt64(PROT_READ | PROT_WRITE), 0, 0, 0])
        == 0,
      (try? registers.write(to: tracee.identifier)) != nil
    else { return nil }
    return UInt64(start)
  }

  /// Lets a thread run the one system call instruction that it stands at; false if it is gone.
  ///
  /// Other stops may come first: the filter wants to see the call, a signal has come. Signals wait.
  func stepOverCall(_ tracee: Tracee, at instruction: UInt64) -> Bool {
    let thread = tracee.identifier
    let end = instruction + UInt64(Architecture.systemCallInstruction.count)
    while scenario_trace_single_step(thread.number) == 0 {
      let stop = scenario_await_stop(thread.number)
      switch stop.kind {
      case SCENARIO_STOP_EXITED, SCENARIO_STOP_KILLED:
        handle(stop)
        return false
      case SCENARIO_STOP_NONE:
        return false
      case SCENARIO_STOP_SIGNAL where stop.value != SIGTRAP:
        tracee.postponedSignals.append(Int32(stop.value))
      case SCENARIO_STOP_SIGNAL:
        if (try? Registers.read(from: thread).instructionPointer) == end { return true }
      default:
        break
      }
    }
    return false
  }

  /// Whether a trap was the breakpoint at the program's entry; then the program goes on from there.
  func handleBreakpoint(of tracee: Tracee) -> Bool {
    guard let breakpoint = tracee.process.entryBreakpoint,
      var registers = try? Registers.read(from: tracee.identifier),
      registers.instructionPointer == breakpoint.address + 1
    else { return false }
    tracee.process.memory?.write(breakpoint.original, at: breakpoint.address)
    tracee.process.entryBreakpoint = nil
    tracee.process.hasEntered = true
    registers.stepBackOverBreakpoint()
    try? registers.write(to: tracee.identifier)
    watchFunctions(of: tracee, registers, isAtEntry: true)
    noteStart(of: tracee.process)
    resume(tracee)
    return true
  }
}

/// The vector of facts that the kernel puts on a new program's stack (getauxval(3)).
struct AuxiliaryVector {
  /// A fact and where it lies.
  struct Entry {
    var value: UInt64
    var address: UInt64
  }

  private var entries: [UInt64: Entry] = [:]

  /// Reads the vector; `nil` if the stack is not that of a fresh program.
  init?(memory: TargetMemory, stackPointer: UInt64) {
    guard let argumentCount = memory.read(UInt64.self, at: stackPointer),
      argumentCount < 1 << 24
    else { return nil }
    var words = WordReader(memory: memory, position: stackPointer + 8 * (argumentCount + 2))
    while true {
      guard let word = words.next() else { return nil }
      guard word != 0 else { break }
    }
    while let type = words.next() {
      let address = words.position
      guard let value = words.next(), type != UInt64(AT_NULL) else { break }
      entries[type] = Entry(value: value, address: address)
    }
  }

  /// A fact by its type.
  subscript(type: UInt64) -> Entry? { entries[type] }

  /// Reads words one after the other, a page or less at a time.
  private struct WordReader {
    let memory: TargetMemory
    var position: UInt64
    private var chunk: ArraySlice<UInt64> = []

    init(memory: TargetMemory, position: UInt64) {
      self.memory = memory
      self.position = position
    }

    mutating func next() -> UInt64? {
      if chunk.isEmpty {
        let bytes = memory.readBytes(Int(4096 - position % 4096), at: position)
        chunk = bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt64.self))[...] }
      }
      guard let word = chunk.popFirst() else { return nil }
      position += 8
      return word
    }
  }
}
