internal import CSupervisor
internal import Glibc

/// The services that the start of programs needs of the tracing loop.
protocol ProgramKernel: TraceKernel {
  /// The state of the target's clocks.
  var clock: VirtualClock { get }
  /// The injector of faults into the target.
  var faults: FaultInjector { get }
  /// Holds threads that spin.
  var spinners: SpinDetector { get }
  /// The interceptors of the target's calls.
  var interceptors: Interceptors { get }

  /// Resumes a thread with a signal.
  func resume(_ tracee: Tracee, signal: Int32)
}

/// Maps the image into new programs that keeps their clocks, and waits for their own first instructions.
final class ProgramStarter {
  private unowned let kernel: any ProgramKernel
  /// The template of the image that is mapped; `nil` where none is.
  let template: InjectedImage.Template?
  private let isVirtual: Bool

  /// - Parameters:
  ///   - kernel: whose target it is.
  ///   - template: what is mapped; `nil` where nothing is.
  ///   - isVirtual: whether time is other than the machine's.
  init(kernel: any ProgramKernel, template: InjectedImage.Template?, isVirtual: Bool) {
    self.kernel = kernel
    self.template = template
    self.isVirtual = isVirtual
  }

  /// The outcome of giving a program its clock.
  private enum Preparation {
    /// The program may begin.
    case ready
    /// The program has been killed meanwhile.
    case gone
    /// The program stays out of reach, for this reason.
    case failed(String)
  }

  /// At the exit of execve: maps the image, and sets a breakpoint at the program's own entry.
  func prepare(programIn tracee: Tracee) {
    tracee.state = .running
    switch prepare(tracee) {
    case .ready:
      break
    case .gone:
      return
    case .failed(let reason):
      kernel.reportOutOfReach(tracee.process, reason: reason)
    }
    // Signals that came meanwhile: the first is delivered with this stop, the others by the kernel.
    let signals = tracee.postponedSignals
    tracee.postponedSignals = []
    for signal in signals.dropFirst() {
      tracee.send(signal)
    }
    kernel.resume(tracee, signal: signals.first ?? 0)
  }

  private func prepare(_ tracee: Tracee) -> Preparation {
    guard let registers = try? Registers.read(from: tracee.identifier) else { return .gone }
    guard let memory = tracee.process.memory,
      let vector = AuxiliaryVector(memory: memory, stackPointer: registers.stackPointer)
    else { return outcome(of: tracee, "its memory cannot be read by this user") }
    kernel.faults.functions?.begin(of: tracee.process, vector: vector)
    kernel.interceptors.find(EntropySeeder.self)?.seedProgram(
      of: tracee.process, vector, memory, unsteadyNames: template?.kernel.unsteadyNameOffsets ?? [])
    if !tracee.process.hasEntered, let entry = vector[UInt64(AT_ENTRY)]?.value,
      let original = memory.read(UInt8.self, at: entry)
    {
      memory.write(Architecture.breakpoint, at: entry)
      tracee.process.program.entryBreakpoint = (entry, original)
    }
    guard let template else { return .ready }
    guard let header = vector[UInt64(AT_SYSINFO_EHDR)] else { return .failed("it has no vDSO") }
    let caller = Caller(
      tracee: tracee, registers: registers,
      instruction: header.value + template.kernel.systemCallOffset)
    guard let (image, replacesKernel) = mapImage(template, header: header.value, memory, by: caller)
    else { return outcome(of: tracee, "its clock page cannot be mapped") }
    // It reads the time stamp counter, which shows the scenario's time unless time flows.
    let usesKernel = kernel.clock.flows && !replacesKernel
    let kernelClock = usesKernel ? template.kernel.clockOffset.map { header.value + $0 } ?? 0 : 0
    guard image.fill(memory, from: template, kernelClock: kernelClock) else {
      return outcome(of: tracee, "its clock page cannot be written")
    }
    tracee.process.program.functions?.systemCallInstruction = image.systemCallInstruction
    tracee.process.program.image = image
    kernel.interceptors.find(TimestampCounterGuard.self)?.prepare(
      tracee, registers, at: image.systemCallInstruction)
    guard (try? registers.write(to: tracee.identifier)) != nil else { return .gone }
    if isVirtual {
      kernel.spinners.publishFirstClock(to: tracee.process)
      memory.write(image.header, at: header.address)
    }
    return .ready
  }

  /// Returns the outcome of a failure: none for a process that has been killed.
  private func outcome(of tracee: Tracee, _ reason: String) -> Preparation {
    let isStopped = (try? Registers.read(from: tracee.identifier)) != nil
    return isStopped && kernel.tracees[tracee.identifier] === tracee ? .failed(reason) : .gone
  }

  /// Maps the image; `nil` if that cannot be done.
  ///
  /// Registers are put back.
  ///
  /// - Parameter header: where the kernel's own vDSO lies.
  /// - Returns: the image, and whether the kernel's is there no more.
  private func mapImage(
    _ template: InjectedImage.Template, header: UInt64, _ memory: TargetMemory, by caller: Caller
  ) -> (image: InjectedImage, replacesKernel: Bool)? {
    var caller = caller
    // Where time flows, the image reads the kernel's clock by the kernel's own vDSO.
    let mayReplace =
      isVirtual && template.fitsKernelPlace
      && !(kernel.clock.flows && template.kernel.clockOffset != nil)
    let frontLength = UInt64(template.frontLength)
    let length = UInt64(template.dataLength) + (mayReplace ? 0 : frontLength)
    guard let start = mapPages(at: nil, length, by: caller) else { return nil }
    var front = start
    var data = start + frontLength
    var replacesKernel = false
    if mayReplace {
      data = start
      replacesKernel = unmapKernel(template, header: header, data: data, memory, by: &caller)
      let place = replacesKernel ? header - 2 * UInt64(SCENARIO_PAGE_SIZE) : nil
      guard let mapped = mapPages(at: place, frontLength, by: caller) else { return nil }
      front = mapped
    }
    let counters = [
      front, UInt64(SCENARIO_PAGE_SIZE), UInt64(PROT_READ | PROT_WRITE), 0, 0, 0,
    ]
    guard makeCall(SystemCallNumber.mprotect, counters, by: caller) == 0,
      (try? caller.registers.write(to: caller.tracee.identifier)) != nil
    else { return nil }
    return (InjectedImage(front: front, data: data, template: template), replacesKernel)
  }

  /// Unmaps the kernel's own vDSO with its data; false if that cannot be done (mseal(2)), and then it is there still.
  ///
  /// No part of it can be replaced as long as the rest is there.
  private func unmapKernel(
    _ template: InjectedImage.Template, header: UInt64, data: UInt64, _ memory: TargetMemory,
    by caller: inout Caller
  ) -> Bool {
    var moved = caller
    moved.instruction = InjectedImage.systemCallInstruction(data: data)
    guard let room = template.kernel.room,
      Architecture.systemCallInstruction.withUnsafeBytes({ memory.write($0, at: moved.instruction) }
      ),
      makeCall(
        SystemCallNumber.munmap,
        [header - room.before, room.before + room.behind, 0, 0, 0, 0], by: moved) == 0
    else { return false }
    caller = moved
    return true
  }

  /// Makes a stopped thread map anonymous pages that it can read and execute, and returns where.
  private func mapPages(at place: UInt64?, _ length: UInt64, by caller: Caller) -> UInt64? {
    let protection = UInt64(PROT_READ | PROT_EXEC)
    let flags = UInt64(MAP_PRIVATE | MAP_ANONYMOUS | (place == nil ? 0 : MAP_FIXED))
    guard
      let start = makeCall(
        SystemCallNumber.mmap, [place ?? 0, length, protection, flags, UInt64.max, 0], by: caller),
      start > 0, UInt64(start) % UInt64(SCENARIO_PAGE_SIZE) == 0
    else { return nil }
    return UInt64(start)
  }

  /// A stopped thread that can be made to make calls.
  private struct Caller {
    var tracee: Tracee
    /// The registers to restore.
    var registers: Registers
    /// The address of a `syscall` instruction.
    var instruction: UInt64
  }

  private func makeCall(_ number: Int, _ arguments: [UInt64], by caller: Caller) -> Int? {
    kernel.makeCall(number, arguments, in: caller.tracee, caller.registers, at: caller.instruction)
  }

  /// Returns whether a trap was the breakpoint at the program's entry; if so, the program continues from there.
  func handleBreakpoint(of tracee: Tracee) -> Bool {
    guard let breakpoint = tracee.process.program.entryBreakpoint,
      var registers = try? Registers.read(from: tracee.identifier),
      registers.instructionPointer == breakpoint.address + 1
    else { return false }
    tracee.process.memory?.write(breakpoint.original, at: breakpoint.address)
    tracee.process.program.entryBreakpoint = nil
    tracee.process.program.hasEntered = true
    registers.stepBackOverBreakpoint()
    try? registers.write(to: tracee.identifier)
    kernel.faults.functions?.watch(of: tracee, registers, isAtEntry: true)
    kernel.faults.processes.recordStart(of: tracee.process)
    kernel.resume(tracee)
    return true
  }
}
