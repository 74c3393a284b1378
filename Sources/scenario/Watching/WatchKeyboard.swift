internal import Glibc

/// The keys of the terminal that a runner watches at, each as it is pressed.
///
/// The terminal's other functions, such as Ctrl-C, stay. It is as it was again when the watching ends, and while the
/// runner is stopped; a terminal with another foreground group is left alone.
final class WatchKeyboard {
  /// The command of a key.
  enum Key {
    /// Run everything.
    case everything
    /// End.
    case end
  }

  /// The signals that are to be passed on: what the terminal is like changes with them.
  static let signals = [SIGTSTP, SIGCONT]

  private let usual: termios
  private var isTaken = false

  /// The terminal of standard input; `nil` where that is none.
  init?() {
    var settings = termios()
    guard isatty(STDIN_FILENO) != 0, tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
    usual = settings
  }

  /// True if this process runs in the terminal's foreground: who reads there otherwise is stopped (SIGTTIN).
  var isOurs: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// Switches the terminal to unbuffered keys without echo.
  func take() {
    guard isOurs else { return }
    var settings = usual
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    isTaken = tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0
  }

  /// Makes the terminal what it was.
  func release() {
    guard isTaken, isOurs else { return }
    isTaken = false
    var settings = usual
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// Carries out the effect of a signal, with the terminal as it was while this process is stopped.
  func pass(_ signal: Int32) {
    guard signal == SIGTSTP else { return take() }
    release()
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGTSTP)
    pthread_kill(pthread_self(), SIGTSTP)
    // Here the kernel stops the process, unless no shell could continue it.
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    take()
  }

  /// Returns the last key with a meaning; `nil` for none.
  func read() -> Key? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
    // The terminal is gone.
    guard count != 0 else { return .end }
    guard count > 0 else { return nil }
    let endOfInput: UInt8 = 4
    for byte in buffer[..<count] {
      switch byte {
      case UInt8(ascii: "q"), endOfInput: return .end
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return .everything
      default: break
      }
    }
    return nil
  }
}
