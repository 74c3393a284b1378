internal import Glibc
internal import ScenarioPlan

/// Signals by name, as signal(7) lists them for Linux on x86-64, without SIG.
enum SignalNames {
  private static let names: [Int32: String] = [
    SIGHUP: "HUP", SIGINT: "INT", SIGQUIT: "QUIT", SIGILL: "ILL", SIGTRAP: "TRAP",
    SIGABRT: "ABRT", SIGBUS: "BUS", SIGFPE: "FPE", SIGKILL: "KILL", SIGUSR1: "USR1",
    SIGSEGV: "SEGV", SIGUSR2: "USR2", SIGPIPE: "PIPE", SIGALRM: "ALRM", SIGTERM: "TERM",
    SIGCHLD: "CHLD", SIGCONT: "CONT", SIGSTOP: "STOP", SIGTSTP: "TSTP", SIGTTIN: "TTIN",
    SIGTTOU: "TTOU", SIGURG: "URG", SIGXCPU: "XCPU", SIGXFSZ: "XFSZ", SIGVTALRM: "VTALRM",
    SIGPROF: "PROF", SIGWINCH: "WINCH", SIGIO: "IO", SIGPWR: "PWR", SIGSYS: "SYS",
  ]

  /// The name of a number; the number itself if it has none.
  static func name(of number: Int32) -> String {
    names[number] ?? RealTimeSignal.name(of: number) ?? String(number)
  }
}

extension SignalNames {
  /// The signals by which a mistake of the program shows.
  static let ofMistakes: Set<String> = ["ABRT", "BUS", "FPE", "ILL", "SEGV", "SYS", "TRAP"]
}
