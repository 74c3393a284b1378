internal import CSupervisor
internal import Foundations
internal import Glibc

/// Determines from outside whether a thread sleeps (proc(5): files of /proc/PID/task/TID).
///
/// The files may stay open: one read of an open file is a microsecond, opening it is three.
final class ThreadStateProbe {
  /// The state letter of a thread, read by its meaning.
  enum State: Equatable {
    /// Asleep until something wakes it, or about to fall asleep.
    case asleep
    /// Asleep until a child of vfork lets it go, or until a disk answers.
    case uninterruptible
    /// Ended.
    case ended
    /// Any other state.
    case busy
  }

  private let folder: String
  private var statDescriptor: Int32 = -1
  private var scheduleDescriptor: Int32 = -1
  private var callDescriptor: Int32 = -1
  private var channelDescriptor: Int32 = -1

  /// The thread's descriptors, where their folder may stay open.
  private(set) lazy var descriptors =
    keepsFilesOpen ? DescriptorFolder(of: thread) : nil
  private let thread: ThreadIdentifier
  private let keepsFilesOpen: Bool
  /// True if the thread is this process's own, whose files of /proc may be closed to it.
  private let isOwn: Bool

  init(process: Int32, thread: Int32, keepsFilesOpen: Bool = true) {
    self.keepsFilesOpen = keepsFilesOpen
    self.thread = ThreadIdentifier(thread)
    isOwn = process == getpid()
    folder = "/proc/\(process)/task/\(thread)"
  }

  deinit {
    for descriptor in [
      statDescriptor, scheduleDescriptor, callDescriptor, channelDescriptor,
    ] where descriptor >= 0 {
      close(descriptor)
    }
  }

  /// Returns whether the thread sleeps, and nothing has begun to wake it.
  ///
  /// proc(5): /proc/PID/wchan names the place in the kernel where a thread sleeps. The kernel
  /// answers "0" for a thread that runs, that waits for a processor, or that is being woken, and
  /// where it cannot or may not say.
  ///
  /// A thread that sleeps within its call until a thread of the kernel has done its work, such as
  /// delivering what was written to a terminal, continues by itself. The state letter shows that;
  /// it is read at each new place.
  ///
  /// - Parameter thoroughly: whether to examine a thread further whose place has no name.
  func isDeeplyAsleep(thoroughly: Bool = true) -> Bool {
    // The letter first: a thread that is being woken on another processor has no longer the letter of a
    // sleeper, and is still switched out.
    guard let place = sleepPlace() else {
      return thoroughly && state() == .asleep && isSwitchedOut()
    }
    if restingPlaces.contains(place) { return true }
    guard place != Self.stop, state() == .asleep, sleepPlace() == place else { return false }
    if restingPlaces.count < Self.placeLimit { restingPlaces.append(place) }
    return true
  }

  /// The first 16 bytes of the name of the place in the kernel where the thread sleeps; `nil` for
  /// none.
  private func sleepPlace() -> SIMD16<UInt8>? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { buffer in
      let count = read("wchan", &channelDescriptor, buffer)
      guard count > 0, buffer[0] != UInt8(ascii: "0") else { return nil }
      var place = SIMD16<UInt8>()
      for index in 0..<min(count, SIMD16<UInt8>.scalarCount) { place[index] = buffer[index] }
      return place
    }
  }

  /// The places in which the thread was seen to sleep until something wakes it.
  private var restingPlaces: [SIMD16<UInt8>] = []
  /// The number of places that are kept: a thread waits in few ways.
  private static let placeLimit = 8

  /// Returns whether the thread is off its processor and not about to get one.
  ///
  /// The state letter alone does not suffice: a thread that is about to sleep, and checks once more
  /// whether it must, has the letter of a sleeper while it runs. For /proc/PID/syscall the kernel
  /// waits until the thread is switched out, and answers "running" if it was woken meanwhile.
  ///
  /// - Parameter inLock: whether a thread that waits for a lock counts. The lock's holder may have
  ///   been preempted: then the thread sleeps in the midst of its work.
  func isSwitchedOut(inLock: Bool = true) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 8) { buffer in
      let count = read("syscall", &callDescriptor, buffer)
      if count > 0 {
        return buffer[0] != UInt8(ascii: "r")
          && (inLock || !buffer[..<count].starts(with: Self.futex))
      }
      // A program that hides from its own user (PR_SET_DUMPABLE) shows no more than its letter.
      return (errno == EACCES || errno == EPERM) && state() == .asleep
    }
  }

  /// The place of a thread in a ptrace stop: it has been woken, and the supervisor has not yet read
  /// the stop.
  private static let stop = {
    var place = SIMD16<UInt8>()
    for (index, byte) in "ptrace_stop".utf8.enumerated() { place[index] = byte }
    return place
  }()

  /// The beginning of /proc/PID/task/TID/syscall for a thread in futex(2).
  private static let futex = Array("\(SystemCallNumber.futex) ".utf8)

  /// Returns the call in which the thread sleeps; `nil` if it runs, or if that cannot be
  /// determined.
  func blockedCall() -> BlockedCall? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
      BlockedCall(text: buffer[..<max(0, read("syscall", &callDescriptor, buffer))])
    }
  }

  /// Returns whether the thread is stopped, and nothing has begun to wake it: the letter is `t` or
  /// `T`.
  func isStopped() -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { buffer in
      let count = read("stat", &statDescriptor, buffer)
      guard let end = buffer[..<max(0, count)].lastIndex(of: UInt8(ascii: ")")), end + 2 < count
      else { return false }
      return buffer[end + 2] | 0x20 == UInt8(ascii: "t")
    }
  }

  /// The thread's state letter.
  func state() -> State {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { buffer in
      let count = read("stat", &statDescriptor, buffer)
      guard count > 0 else { return .ended }
      // The letter follows the name, which stands in parentheses and may hold any others.
      guard let end = buffer[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count else {
        return .busy
      }
      switch buffer[end + 2] {
      case UInt8(ascii: "S"): return .asleep
      case UInt8(ascii: "D"): return .uninterruptible
      case UInt8(ascii: "Z"), UInt8(ascii: "X"), UInt8(ascii: "x"): return .ended
      default: return .busy
      }
    }
  }

  /// The processor that the thread has, or had last (proc(5): the 39th field of stat); `nil` if it is gone.
  func processor() -> Int32? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { buffer in
      let count = read("stat", &statDescriptor, buffer)
      guard count > 0, let end = buffer[..<count].lastIndex(of: UInt8(ascii: ")")) else {
        return nil
      }
      // Behind the name and a space stands the third field.
      var field = 2
      var number: Int32 = 0
      for byte in buffer[(end + 1)..<count] {
        if byte == UInt8(ascii: " ") {
          if field == 39 { return number }
          field += 1
          number = 0
        } else {
          number = number &* 10 &+ Int32(byte &- UInt8(ascii: "0"))
        }
      }
      return nil
    }
  }

  /// Returns the number of times that the thread has been given a processor; equal numbers mean
  /// that it did not run between.
  func runCount() -> UInt64 { scheduleStatistics().runCount }

  /// Returns the number of times that the thread has left its processor of its own accord (proc(5):
  /// /proc/PID/status).
  func voluntarySwitches() -> UInt64 {
    let lines = SmallFile.read("\(folder)/status")?.split(separator: "\n") ?? []
    let line = lines.first { $0.hasPrefix("voluntary_ctxt_switches:") }
    return line.flatMap { $0.split(separator: "\t").last }.flatMap { UInt64($0) } ?? 0
  }

  /// Returns the processor time that the thread has used.
  func processorTime() -> Nanoseconds { scheduleStatistics().processorTime }

  /// Returns what the kernel's scheduler counts of the thread.
  func scheduleStatistics() -> ScheduleStatistics {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 96) { buffer in
      let count = read("schedstat", &scheduleDescriptor, buffer)
      return ScheduleStatistics(buffer[..<max(0, count)])
    }
  }

  private func read(
    _ name: String, _ descriptor: inout Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    if descriptor < 0 {
      let path = "\(folder)/\(name)"
      descriptor =
        isOwn
        ? scenario_open_own_file(path)
        : ProcessOwner.retrying(path) { open(path, O_RDONLY | O_CLOEXEC) }
      guard descriptor >= 0 else { return -1 }
    }
    defer {
      if !keepsFilesOpen {
        close(descriptor)
        descriptor = -1
      }
    }
    // The kernel asks anew at each read of what a thread does.
    let file = descriptor
    return ProcessOwner.retrying(folder) { pread(file, buffer.baseAddress, buffer.count, 0) }
  }
}
