internal import CSupervisor
internal import Glibc

// Proof of control: what may pass in real time is told.

extension TracerLoop {
  /// A thread enters a wait that cannot be held, because nothing was mapped into its process.
  func recordUnheldWait(of tracee: Tracee, _ registers: Registers) {
    let arguments = (0..<6).map { registers[argument: $0] }
    guard let wait = NativeWait(systemCall: registers.systemCall, arguments: arguments) else {
      return
    }
    record.report(wait, of: tracee.process, reason: "the process is out of reach")
  }

  /// Everything sleeps, and nothing is due: looks for threads that the kernel itself will wake.
  func recordNativeWaits() {
    guard configuration.clock != nil else { return }
    for tracee in tracees.values {
      guard case .running = tracee.state, let call = tracee.sampler.blockedCall(),
        let wait = NativeWait(call)
      else { continue }
      // For ever waits only who was made to: the call is held, whatever its thread has come to meanwhile.
      if let held = tracee.process.image?.farFuture, call.arguments.contains(held) { continue }
      record.report(wait, of: tracee.process, reason: "the call was made unseen")
    }
  }

  /// A process cannot be controlled.
  func reportOutOfReach(_ process: TargetProcess, reason: String) {
    record.reportOutOfReach(process, reason: reason)
  }

  func notice(_ text: String, of process: TargetProcess) { record.notice(text, of: process) }

  /// A program wants to trace a process of the tree; the kernel refuses, as for whatever is traced.
  func recordTraceRequest(of tracee: Tracee) {
    notice(
      "\"\(tracee.process.programName)\" asks to trace a process: a process has one tracer, so"
        + " debuggers and strace cannot work inside a scenario", of: tracee.process)
    resume(tracee)
  }

  /// A program asks for an io_uring: it has none, as on a kernel without.
  ///
  /// An io_uring makes system calls that no filter sees, and waits that nobody could end. Programs look
  /// for one and do without (io_uring_setup(2): ENOSYS).
  func refuseRing(to tracee: Tracee, _ registers: Registers) {
    notice(
      "\"\(tracee.process.programName)\" asks for an io_uring, and gets none: its calls would be made"
        + " unseen, so io_uring_setup fails with ENOSYS", of: tracee.process)
    var answered = registers
    answered.skipSystemCall(returning: -Int(KernelError.notSupported))
    finish(tracee, with: answered)
  }

  /// A process gives its dumpable flag away, or asks for it, and the supervisor needs it.
  func handleDumpableFlag(of tracee: Tracee, _ registers: Registers) {
    let operation = UInt32(truncatingIfNeeded: registers[argument: 0])
    // Who watches prctl(2) for another reason sees what is none of this as well.
    guard DumpableFlag.mustBeKept, DumpableFlag.operations.contains(operation) else {
      return resume(tracee)
    }
    var answered = registers
    if operation == DumpableFlag.get {
      answered.skipSystemCall(returning: Int(truncatingIfNeeded: tracee.process.dumpableFlag))
      return finish(tracee, with: answered)
    }
    // The kernel takes these two from programs, and no others.
    let value = registers[argument: 1]
    guard value == DumpableFlag.off || value == DumpableFlag.on else {
      answered.skipSystemCall(returning: -Int(EINVAL))
      return finish(tracee, with: answered)
    }
    tracee.process.dumpableFlag = value
    answered.skipSystemCall(returning: 0)
    finish(tracee, with: answered)
  }

  /// A process becomes another user, and stays open to the supervisor: it gets back the flag that the kernel takes.
  func keepOpen(_ tracee: Tracee, _ registers: Registers) {
    guard CredentialCalls.closeProcesses else { return resume(tracee) }
    complete(tracee, original: registers, with: registers) { [unowned self] registers in
      // The thread has just made a call by this instruction.
      let instruction =
        registers.instructionPointer - UInt64(Architecture.systemCallInstruction.count)
      let arguments = [UInt64(DumpableFlag.set), DumpableFlag.on, 0, 0, 0, 0]
      _ = makeCall(SystemCallNumber.prctl, arguments, in: tracee, registers, at: instruction)
      sendPostponedSignals(to: tracee)
    }
  }

  /// Tells of a program that would have other rights without supervision: `no_new_privs` keeps execve(2)
  /// from granting any.
  func recordLostPrivileges(of process: TargetProcess) {
    guard filter != nil, let loss = PrivilegedProgram(process: process.identifier) else { return }
    notice(
      "\"\(process.programName)\" \(loss.text), and runs without: supervised programs gain no rights",
      of: process)
  }
}

/// A program whose file would give the process other rights than it has (execve(2)).
struct PrivilegedProgram: Equatable {
  /// What the file would do, as in `is set-user-ID 0`.
  var text: String

  /// Looks at the file of a running program; `nil` if it gives no rights.
  init?(process: ThreadIdentifier) {
    let path = "/proc/\(process.number)/exe"
    var file = stat()
    var owner = stat()
    var folder = statvfs()
    guard stat(path, &file) == 0, stat("/proc/\(process.number)", &owner) == 0,
      statvfs(path, &folder) == 0, folder.f_flag & UInt(ST_NOSUID) == 0
    else { return nil }
    // A group that may not execute makes of the bit a mark for locking, of old.
    let givesGroup = file.st_mode & S_ISGID != 0 && file.st_mode & S_IXGRP != 0
    if file.st_mode & S_ISUID != 0, file.st_uid != owner.st_uid {
      text = "is set-user-ID \(file.st_uid)"
    } else if givesGroup, file.st_gid != owner.st_gid {
      text = "is set-group-ID \(file.st_gid)"
    } else if owner.st_uid != 0, scenario_has_capabilities(path) == 1 {
      text = "has capabilities"
    } else {
      return nil
    }
  }
}
