internal import Glibc

/// Replaces the random numbers that a target gets by seeded ones.
///
/// Every call is made as it is, so that it fails, waits and counts as it would; what it has brought is replaced
/// behind it.
final class EntropySeeder: Interceptor {
  private let source: EntropySource
  /// The numbers of the processes that have drawn some.
  private var streams: [ThreadIdentifier: EntropyStream] = [:]

  init(_ source: EntropySource) {
    self.source = source
  }

  let filterRules = [SystemCallNumber.getrandom: FilterRule.trace]

  var calls: Set<Int>? {
    Set(RandomReads.places.keys).union(RandomReads.transfers.keys).union(filterRules.keys)
  }

  func inherit(from trunk: any Interceptor) {
    if let trunk = trunk as? EntropySeeder { streams = trunk.streams }
  }

  func processCopied(
    _ process: ThreadIdentifier, as copy: ThreadIdentifier, thread: ThreadIdentifier
  ) {
    streams[copy] = streams[process]
  }

  func processEnded(_ process: ThreadIdentifier) { streams[process] = nil }

  // MARK: - Programs

  /// Gives a new program the random bytes that the kernel puts on its stack, from which pointer guard,
  /// stack protector and hash seeds are made (getauxval(3): AT_RANDOM), and hides what the vDSO would do
  /// behind the supervisor's back.
  ///
  /// - Parameter unsteadyNames: where the vDSO's names of functions are that would draw numbers unseen, in bytes from
  ///   its beginning.
  func seedProgram(
    of process: TargetProcess, _ vector: AuxiliaryVector, _ memory: TargetMemory,
    unsteadyNames: [UInt64]
  ) {
    if let place = vector[UInt64(AT_RANDOM)]?.value {
      replaceBytes(of: process, with: 16, at: [(place, 16)])
    }
    guard let header = vector[UInt64(AT_SYSINFO_EHDR)]?.value else { return }
    for offset in unsteadyNames {
      // Who looks for the name does not find it, and makes the call.
      memory.write(UInt8(ascii: "_"), at: header &+ offset)
    }
  }

  // MARK: - Reading

  /// Replaces what a call is about to bring at random.
  func enter(_ call: InterceptedCall) -> CallDisposition {
    let (tracee, registers) = (call.tracee, call.registers)
    if call.number == SystemCallNumber.getrandom {
      let process = tracee.process
      let place = registers[argument: 0]
      return .observe { [self] exit in
        guard exit.result > 0 else { return }
        replaceBytes(of: process, with: exit.result, at: [(place, UInt64(exit.result))])
      }
    }
    if let place = RandomReads.places[call.number] {
      return seedRead(call, place.argument, isList: place.isList)
    }
    if let argument = RandomReads.transfers[call.number],
      RandomFile(descriptor: call.integer(argument), of: tracee.identifier) != nil
    {
      // What passes the process's memory by cannot be replaced. "Applications may wish to fall back to
      // read(2)/write(2) in the case where sendfile() fails with EINVAL" (sendfile(2)).
      return .skip(result: -Int(EINVAL))
    }
    return .pass
  }

  private func seedRead(_ call: InterceptedCall, _ argument: Int, isList: Bool) -> CallDisposition {
    let registers = call.registers
    let process = call.tracee.process
    guard
      let file = RandomFile(descriptor: call.integer(0), of: call.tracee.identifier),
      let memory = process.memory
    else { return .pass }
    let places =
      isList
      ? memory.vector(at: registers[argument: argument], count: Int(call.integer(argument + 1)))
      : [(registers[argument: argument], registers[argument: argument + 1])]
    return .observe { [self] exit in
      guard exit.result > 0 else { return }
      switch file {
      case .device: replaceBytes(of: process, with: exit.result, at: places)
      case .identifiers: replaceIdentifier(of: process, exit.result, at: places)
      }
    }
  }

  // MARK: - Replacing

  /// Writes the next random bytes of a process to places in its memory.
  private func replaceBytes(
    of process: TargetProcess, with count: Int, at places: [(address: UInt64, length: UInt64)]
  ) {
    guard let memory = process.memory, var stream = stream(of: process) else { return }
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
    streams[process.identifier] = stream
  }

  private func replaceIdentifier(
    of process: TargetProcess, _ count: Int, at places: [(address: UInt64, length: UInt64)]
  ) {
    guard let memory = process.memory, var stream = stream(of: process) else { return }
    var line = stream.identifierLine().prefix(count)
    for place in places {
      let part = line.prefix(Int(clamping: place.length))
      line = line.dropFirst(part.count)
      part.withUnsafeBytes { _ = memory.write($0, at: place.address) }
    }
    streams[process.identifier] = stream
  }

  private func stream(of process: TargetProcess) -> EntropyStream? {
    streams[process.identifier] ?? source.stream(processOrdinal: process.ordinal)
  }

  /// The number of bytes that are made at once.
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
