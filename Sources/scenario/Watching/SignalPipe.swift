internal import Glibc

/// Signals as bytes of a pipe, so that poll(2) can wait for them beside other things.
final class SignalPipe: Sendable {
  /// Readable when a signal has come.
  let descriptor: Int32

  private let end: Int32
  private let numbers: [Int32]

  /// One signal.
  struct Arrival {
    var number: Int32
    /// True if it came from the terminal, to every process that runs in its foreground.
    var isFromTerminal: Bool
  }

  /// Blocks signals in this thread and takes them on one of its own; `nil`, with errno set, if that fails.
  init?(_ numbers: [Int32]) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (descriptor, end) = (ends[0], ends[1])
    self.numbers = numbers
    var set = signalSet
    pthread_sigmask(SIG_BLOCK, &set, nil)
    var thread = pthread_t()
    let box = Unmanaged.passRetained(self)
    let error = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<SignalPipe>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, box.toOpaque())
    guard error == 0 else {
      box.release()
      return nil
    }
    pthread_detach(thread)
  }

  /// The next signal; waits for it.
  func next() -> Arrival? {
    var bytes: [UInt8] = [0, 0]
    var count = read(descriptor, &bytes, 2)
    while count < 0, errno == EINTR { count = read(descriptor, &bytes, 2) }
    guard count == 2 else { return nil }
    return Arrival(number: Int32(bytes[0]), isFromTerminal: bytes[1] != 0)
  }

  private func run() {
    var set = signalSet
    while true {
      var information = siginfo_t()
      let number = sigwaitinfo(&set, &information)
      guard number > 0 else { continue }
      // SI_KERNEL of sigaction(2): nobody has sent it but the terminal's driver.
      let bytes: [UInt8] = [UInt8(truncatingIfNeeded: number), information.si_code == 0x80 ? 1 : 0]
      // pipe(7): so few bytes are written at once or not at all.
      while write(end, bytes, 2) < 0, errno == EINTR {}
    }
  }

  private var signalSet: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    return set
  }
}
