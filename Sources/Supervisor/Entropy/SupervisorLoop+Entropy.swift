internal import CSupervisor
internal import Glibc

// Every call is made as it is, so that it fails, waits and counts as it would; what it has brought is replaced
// behind it.

extension SupervisorLoop {
  // MARK: - Programs

  /// Gives a new program the random bytes that the kernel puts on its stack, from which pointer guard,
  /// stack protector and hash seeds are made (getauxval(3): AT_RANDOM), and hides what the vDSO would do
  /// behind the supervisor's back.
  func seedProgram(of process: TargetProcess, _ vector: AuxiliaryVector, _ memory: TargetMemory) {
    guard configuration.entropy.isSeeded else { return }
    if let place = vector[UInt64(AT_RANDOM)]?.value {
      replaceBytes(of: process, with: 16, at: [(place, 16)])
    }
    guard let header = vector[UInt64(AT_SYSINFO_EHDR)]?.value, let template else { return }
    for offset in template.kernel.unsteadyNameOffsets {
      // Who looks for the name does not find it, and makes the call.
      memory.write(UInt8(ascii: "_"), at: header &+ offset)
    }
  }

  // MARK: - Opening

  /// Lets a process that is about to open a file of random numbers get the filter that shows its reads; true
  /// if the thread does that first.
  func watchRandomReads(before registers: Registers, of tracee: Tracee) -> Bool {
    guard configuration.entropy.isSeeded, !tracee.process.lateFilters.contains(.randomReads),
      opensRandomFile(registers, of: tracee)
    else { return false }
    return addFilter(
      .randomReads, before: registers, of: tracee,
      failure: "what \(tracee.process.programName) reads at random is not seeded")
  }

  private func opensRandomFile(_ registers: Registers, of tracee: Tracee) -> Bool {
    var directory = AT_FDCWD
    var pathIndex = 1
    switch registers.systemCall {
    case SystemCallNumber.open: pathIndex = 0
    case SystemCallNumber.openat, SystemCallNumber.openat2:
      directory = Int32(truncatingIfNeeded: registers[argument: 0])
    default: return false
    }
    guard let path = tracee.process.memory?.readText(at: registers[argument: pathIndex]) else {
      return false
    }
    return RandomFile(at: ownPath(path, directory, of: tracee)) != nil
  }

  /// A path as this process must say it.
  private func ownPath(_ path: String, _ directory: Int32, of tracee: Tracee) -> String {
    let folder = "/proc/\(tracee.identifier.number)"
    for name in ["/proc/self/", "/proc/thread-self/"] where path.hasPrefix(name) {
      return "\(folder)/\(path.dropFirst(name.count))"
    }
    if path.hasPrefix("/dev/fd/") { return "\(folder)/fd/\(path.dropFirst(8))" }
    if path.hasPrefix("/") { return "\(folder)/root\(path)" }
    return directory == AT_FDCWD ? "\(folder)/cwd/\(path)" : "\(folder)/fd/\(directory)/\(path)"
  }

  // MARK: - Reading

  /// Replaces what a call is about to bring at random; true if there is nothing left to do for it.
  func seedCall(of tracee: Tracee, _ registers: Registers) -> Bool {
    guard configuration.entropy.isSeeded else { return false }
    let call = registers.systemCall
    if call == SystemCallNumber.getrandom {
      let process = tracee.process
      let place = registers[argument: 0]
      complete(tracee, original: registers, with: registers) { loop, registers in
        guard registers.result > 0 else { return }
        loop.replaceBytes(
          of: process, with: registers.result, at: [(place, UInt64(registers.result))])
      }
      return true
    }
    if let place = RandomReads.places[call] {
      return seedRead(of: tracee, registers, place.argument, isList: place.isList)
    }
    if let argument = RandomReads.transfers[call],
      RandomFile(
        descriptor: Int32(truncatingIfNeeded: registers[argument: argument]),
        of: tracee.identifier) != nil
    {
      // What passes the process's memory by cannot be replaced. "Applications may wish to fall back to
      // read(2)/write(2) in the case where sendfile() fails with EINVAL" (sendfile(2)).
      var changed = registers
      changed.skipSystemCall(returning: -Int(EINVAL))
      finish(tracee, with: changed)
      return true
    }
    return false
  }

  private func seedRead(
    of tracee: Tracee, _ registers: Registers, _ argument: Int, isList: Bool
  ) -> Bool {
    let descriptor = Int32(truncatingIfNeeded: registers[argument: 0])
    guard let file = RandomFile(descriptor: descriptor, of: tracee.identifier),
      let memory = tracee.process.memory
    else {
      return false
    }
    let process = tracee.process
    let places =
      isList
      ? memory.vector(
        at: registers[argument: argument],
        count: Int(Int32(truncatingIfNeeded: registers[argument: argument + 1])))
      : [(registers[argument: argument], registers[argument: argument + 1])]
    complete(tracee, original: registers, with: registers) { loop, registers in
      guard registers.result > 0 else { return }
      switch file {
      case .device: loop.replaceBytes(of: process, with: registers.result, at: places)
      case .identifiers: loop.replaceIdentifier(of: process, registers.result, at: places)
      }
    }
    return true
  }

  // MARK: - Replacing

  /// Writes the next random bytes of a process to places in its memory.
  private func replaceBytes(
    of process: TargetProcess, with count: Int, at places: [(address: UInt64, length: UInt64)]
  ) {
    guard let memory = process.memory, var stream = takeStream(of: process) else { return }
    var rest = count
    withUnsafeTemporaryAllocation(byteCount: min(count, Self.chunkLength), alignment: 8) { buffer in
      for place in places {
        var address = place.address
        var length = min(rest, Int(clamping: place.length))
        rest -= length
        while length > 0 {
          let chunk = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(length))
          stream.fill(chunk)
          memory.write(UnsafeRawBufferPointer(chunk), at: address)
          address &+= UInt64(chunk.count)
          length -= chunk.count
        }
      }
    }
    process.entropy = stream
  }

  private func replaceIdentifier(
    of process: TargetProcess, _ count: Int, at places: [(address: UInt64, length: UInt64)]
  ) {
    guard let memory = process.memory, var stream = takeStream(of: process) else { return }
    var line = stream.identifierLine().prefix(count)
    for place in places {
      let part = line.prefix(Int(clamping: place.length))
      line = line.dropFirst(part.count)
      part.withUnsafeBytes { _ = memory.write($0, at: place.address) }
    }
    process.entropy = stream
  }

  private func takeStream(of process: TargetProcess) -> EntropyStream? {
    process.entropy ?? configuration.entropy.stream(processOrdinal: process.ordinal)
  }

  /// How many bytes are made at once.
  private static let chunkLength = 65_536
}

extension TargetMemory {
  /// The places that a `struct iovec` array names (readv(2)); those that cannot be read are left out.
  fileprivate func vector(at address: UInt64, count: Int) -> [(address: UInt64, length: UInt64)] {
    // UIO_MAXIOV of `linux/uio.h`: the kernel takes no more.
    (0..<max(0, min(count, 1_024))).compactMap { index in
      let place = address &+ UInt64(index * 16)
      guard let base = read(UInt64.self, at: place),
        let length = read(UInt64.self, at: place &+ 8)
      else { return nil }
      return (base, length)
    }
  }
}
