/// A sanitizer in a program that looks for leaks at exit.
///
/// LeakSanitizer attaches to its own process with ptrace(2) to find the roots of reachable memory. A process
/// has one tracer, and here it is the supervisor: the sanitizer would end the program with an error.
enum LeakDetector: Equatable, Sendable {
  /// AddressSanitizer, which brings LeakSanitizer along.
  case address
  /// LeakSanitizer alone.
  case leaks

  /// Finds the detector of a program; `nil` if it has none.
  ///
  /// The dynamic section of the file shows it: the runtime is listed there as a needed library, or,
  /// where it is linked statically, appears by names that every such program has, stripped or not.
  /// Fully static programs have none, and the sanitizers do not work in them.
  init?(descriptor: Int32) {
    guard let file = ELFFile(descriptor: descriptor),
      let detector = Self.detector(libraries: file.neededLibraries)
        ?? Self.detector(names: file)
    else { return nil }
    self = detector
  }

  /// The detector that a preloaded library brings along (ld.so(8): LD_PRELOAD).
  init?(preloaded value: String) {
    let paths = value.split(whereSeparator: { $0 == ":" || $0 == " " })
    let names = paths.compactMap { $0.split(separator: "/").last.map(String.init) }
    guard let detector = Self.detector(libraries: names) else { return nil }
    self = detector
  }

  private static func detector(libraries: [String]) -> LeakDetector? {
    for library in libraries {
      if library.hasPrefix("libasan.so") || library.hasPrefix("libclang_rt.asan") {
        return .address
      }
      if library.hasPrefix("liblsan.so") || library.hasPrefix("libclang_rt.lsan") { return .leaks }
    }
    return nil
  }

  /// Clang exports the runtimes' entries; GCC leaves a weak reference to a hook that only LeakSanitizer
  /// asks for.
  private static func detector(names file: ELFFile) -> LeakDetector? {
    let found = file.dynamicNames(among: ["__asan_init", "__lsan_init", "__lsan_is_turned_off"])
    if found.contains("__asan_init") { return .address }
    return found.isEmpty ? nil : .leaks
  }

  // MARK: - Options

  /// The beginning of the variable that the runtimes read last.
  static let variablePrefix = "LSAN_OPTIONS="

  /// Returns the variable that switches leak detection off, `NAME=VALUE`; `nil` where the author
  /// has set it.
  ///
  /// Both runtimes read LSAN_OPTIONS after ASAN_OPTIONS, and later values win: so the addition
  /// precedes the author's own options.
  ///
  /// - Parameter value: looks up a variable of the program.
  func switchingOff(in value: (String) -> String?) -> String? {
    let options = value("LSAN_OPTIONS")
    if options?.contains("detect_leaks") ?? false { return nil }
    if self == .address, value("ASAN_OPTIONS")?.contains("detect_leaks") ?? false { return nil }
    let rest = options.map { $0.isEmpty ? "" : ":\($0)" } ?? ""
    return "\(Self.variablePrefix)detect_leaks=0\(rest)"
  }
}
