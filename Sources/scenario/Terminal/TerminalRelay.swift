internal import Glibc
internal import ScenarioRunner

/// A terminal of its own for a program that another process starts: keys typed here go there, and its output is shown
/// here.
///
/// The program's keys are its own, those for signals too, as the terminal here passes every byte on meanwhile.
struct TerminalRelay {
  /// The program's end.
  let program: Int32
  private let own: Int32
  private let former: termios

  /// `nil` if no terminal is to be had.
  init?() {
    var settings = termios()
    var size = winsize()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
    own = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard own >= 0 else { return nil }
    var isLocked: Int32 = 0
    guard ioctl(own, Self.lock, &isLocked) == 0 else {
      close(own)
      return nil
    }
    program = ioctl(own, Self.openProgram, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard program >= 0 else {
      close(own)
      return nil
    }
    former = settings
    tcsetattr(program, TCSANOW, &settings)
    if ioctl(STDIN_FILENO, UInt(TIOCGWINSZ), &size) == 0 {
      _ = ioctl(own, UInt(TIOCSWINSZ), &size)
    }
  }

  /// TIOCSPTLCK and TIOCGPTPEER of ioctl_tty(2), whose numbers are macros.
  private static let lock: UInt = 0x4004_5431
  private static let openProgram: UInt = 0x5441

  /// Passes everything on until the program has ended; its exit code.
  func run(beside visit: WorldVisit) -> Int32 {
    close(program)
    var raw = former
    cfmakeraw(&raw)
    tcsetattr(STDIN_FILENO, TCSANOW, &raw)
    defer {
      var settings = former
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
      close(own)
    }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      var descriptors = [STDIN_FILENO, own, visit.connection].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      followSize()
      guard poll(&descriptors, 3, 250) >= 0 || errno == EINTR else { return 1 }
      if descriptors[1].revents & Int16(POLLIN) != 0 {
        pass(from: own, to: STDOUT_FILENO, &buffer)
        continue
      }
      if descriptors[0].revents != 0 { pass(from: STDIN_FILENO, to: own, &buffer) }
      if descriptors[2].revents != 0 { return visit.awaitEnd() }
    }
  }

  private func pass(from source: Int32, to sink: Int32, _ buffer: inout [UInt8]) {
    let count = read(source, &buffer, buffer.count)
    guard count > 0 else { return }
    var rest = buffer[..<count]
    while !rest.isEmpty {
      let part = rest.withUnsafeBytes { write(sink, $0.baseAddress, $0.count) }
      guard part > 0 else { return }
      rest = rest.dropFirst(part)
    }
  }

  /// The program's terminal is as large as this one.
  private func followSize() {
    var (size, known) = (winsize(), winsize())
    guard ioctl(STDIN_FILENO, UInt(TIOCGWINSZ), &size) == 0,
      ioctl(own, UInt(TIOCGWINSZ), &known) == 0,
      size.ws_row != known.ws_row || size.ws_col != known.ws_col
    else { return }
    _ = ioctl(own, UInt(TIOCSWINSZ), &size)
  }
}
