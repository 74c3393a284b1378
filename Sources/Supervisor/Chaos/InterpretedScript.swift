internal import Glibc

/// The file with the program that an interpreter runs, by its arguments.
///
/// What an interpreter does before it reads that file prepares it: it reads its own modules, and allocates for them.
struct InterpretedScript: Equatable {
  /// The paths by which a call may name the file.
  let paths: Set<String>

  /// Finds the file; `nil` if the program is no interpreter that is known, or runs something else.
  ///
  /// - Parameters:
  ///   - folder: the absolute path from which relative ones count.
  ///   - resolve: returns the path of a regular file without symbolic links; `nil` if there is none.
  init?(
    arguments: [String], in folder: String, resolve: (String) -> String? = Self.resolvedFile
  ) {
    guard let program = arguments.first?.split(separator: "/").last,
      let letters = Self.codeOptions[Self.withoutVersion(program)]
    else { return nil }
    for argument in arguments.dropFirst() {
      // Standard input is the program.
      if argument == "-" { return nil }
      if argument.hasPrefix("-") {
        if Self.longCodeOptions.contains(argument) { return nil }
        // Options may stand together, and code directly behind its option.
        if !argument.hasPrefix("--"), argument.contains(where: letters.contains) { return nil }
        continue
      }
      let path = PlainPath.of(argument.hasPrefix("/") ? argument : "\(folder)/\(argument)")
      // Each process has others.
      if path.hasPrefix("/dev/") || path.hasPrefix("/proc/") { return nil }
      // What is no file is the value of an option.
      guard let file = resolve(path) else { continue }
      paths = [path, file]
      return
    }
    return nil
  }

  /// The name of a program without the version behind it: `python3.11`.
  private static func withoutVersion(_ name: Substring) -> String {
    var name = name
    while let last = name.last, last.isNumber || last == "." { name.removeLast() }
    return String(name)
  }

  /// The interpreters, and the letters of options by which the program is something else than a file.
  private static let codeOptions: [String: Set<Character>] = [
    "ash": ["c", "s"], "bash": ["c", "s"], "dash": ["c", "s"], "fish": ["c"], "ksh": ["c", "s"],
    "mksh": ["c", "s"], "sh": ["c", "s"], "zsh": ["c", "s"], "lua": ["e"], "luajit": ["e"],
    "node": ["e", "p"], "nodejs": ["e", "p"], "perl": ["e", "E"], "php": ["r", "B", "R"],
    "pypy": ["c", "m"],
    "python": ["c", "m"], "ruby": ["e"], "tclsh": [],
  ]

  private static let longCodeOptions: Set<String> = ["--eval", "--print", "--run", "--command"]

  /// The path of a regular file without symbolic links; `nil` for anything else.
  private static func resolvedFile(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let resolved = realpath(path, nil)
    else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
