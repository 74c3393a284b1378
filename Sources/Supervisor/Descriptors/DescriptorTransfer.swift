internal import CSupervisor
internal import Glibc

/// Copies of the target's descriptors where pidfd_getfd(2) is refused: a container's default
/// profile lets it pass with CAP_SYS_PTRACE only, which the container has not.
///
/// A thread of the process sends the descriptor itself (unix(7): SCM_RIGHTS), from the stop in
/// which it stands or out of the call in which it sleeps. Where no copy is needed, none is made:
/// that wakes nobody.
enum DescriptorTransfer {
  /// True if pidfd_getfd(2) is refused to this process.
  static let isNeeded = scenario_transfer_is_needed() == 1

  /// The number of filters on this process (proc(5): Seccomp_filters); `nil` where the kernel does
  /// not say.
  private static let ownFilters = filters(over: "/proc/self")

  /// Returns whether a thread has no filter but those of this process and the supervisor's: one that has confined
  /// itself may end for the calls that a transfer takes.
  ///
  /// - Parameter late: how many filters its process has got besides the first.
  static func isAllowed(by thread: ThreadIdentifier, late: Int) -> Bool {
    guard let ownFilters, let others = filters(over: "/proc/\(thread.number)") else { return true }
    return others <= ownFilters + 1 + late
  }

  private static func filters(over folder: String) -> Int? {
    SmallFile.read("\(folder)/status")?.split(separator: "\n")
      .first { $0.hasPrefix("Seccomp_filters:") }
      .flatMap { Int($0.filter(\.isNumber)) }
  }
}

extension Tracee {
  /// The number of threads of a process that are tried.
  private static let transferAttempts = 8

  /// A copy of a descriptor that a thread of the process has sent, to be closed by the caller; negative if
  /// none could.
  func transferDescriptor(_ descriptor: Int32, among tracees: [Tracee]) -> Int32 {
    guard let image = process.image, let memory = process.memory else { return -EPERM }
    var transfer = scenario_transfer_open()
    guard transfer.receiver >= 0 else { return transfer.receiver }
    defer { close(transfer.receiver) }
    let slot = process.program.scratch.takeSlot()
    defer { process.program.scratch.releaseSlot(slot) }
    let place = image.slot(slot)
    let size = Int(SCENARIO_TRANSFER_MESSAGE_SIZE)
    let isWritten = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { message in
      scenario_transfer_message(&transfer, descriptor, place, message.baseAddress)
      return memory.write(UnsafeRawBufferPointer(message), at: place)
    }
    guard isWritten else { return -EFAULT }
    var result = -EBUSY
    for tracee in ([self] + tracees).prefix(Self.transferAttempts) where tracee.maySendDescriptors {
      result = scenario_transfer_descriptor(
        &transfer, process.identifier.number, tracee.identifier.number, place,
        tracee.isRefused ? 1 : 0)
      guard result == -EBUSY else { break }
    }
    return result
  }

  private var maySendDescriptors: Bool {
    switch state {
    // Neither stands in a stop in which it could make a call, nor sleeps so that it could be woken.
    case .stoppedWithGroup, .waitingForChild, .startingProgram: false
    // It has been interrupted already, and its stop is the loop's.
    case .waiting(let active) where active.isDue: false
    case _ where isInterrupted: false
    case .running, .waiting, .pausing, .restoring, .completing, .repeating, .parked:
      DescriptorTransfer.isAllowed(by: identifier, late: process.lateFilters.count)
    }
  }

  /// Returns the object that a descriptor leads to, by its link; `nil` if it is not open.
  func openDescriptor(_ number: Int32) -> OpenDescriptor? {
    SmallFile.link("/proc/\(identifier.number)/fd/\(number)").map { OpenDescriptor(link: $0) }
  }

  /// The number of a socket; `nil` for what is none.
  func socketNumber(_ descriptor: Int32) -> UInt64? {
    if case .socket(let number)? = openDescriptor(descriptor) { number } else { nil }
  }

  /// Returns the name of a socket's protocol, as `TCP`, `UDPv6` or `UNIX`, an extended attribute of
  /// the kernel's (`net/socket.c`: system.sockprotoname); `nil` for what is no socket.
  func socketProtocol(_ descriptor: Int32) -> String? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { buffer in
      let count = getxattr(
        "/proc/\(identifier.number)/fd/\(descriptor)", "system.sockprotoname", buffer.baseAddress,
        buffer.count)
      guard count > 0 else { return nil }
      return String(decoding: buffer[..<count].prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
