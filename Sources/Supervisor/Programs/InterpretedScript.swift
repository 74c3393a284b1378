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
      let letters = Self.codeOptions[
        String(program.prefix { !$0.isNumber && $0 != "." && $0 != "-" })]
    else { return nil }
    for argument in arguments.dropFirst() {
      if argument.hasPrefix("-"), argument.utf8.count > 1 {
        if Self.longCodeOptions.contains(argument) { return nil }
        if !argument.hasPrefix("--"), let last = argument.last, letters.contains(last) {
          return nil
        }
        continue
      }
      let path = PathResolver.plain(argument.hasPrefix("/") ? argument : "\(folder)/\(argument)")
      // What is no file is the value of an option.
      guard let file = resolve(path) else { continue }
      paths = [path, file]
      return
    }
    return nil
  }

  /// The interpreters, and the letters that end their options with code in place of a file.
  private static let codeOptions: [String: Set<Character>] = [
    "ash": ["c"], "bash": ["c"], "dash": ["c"], "fish": ["c"], "ksh": ["c"], "mksh": ["c"],
    "sh": ["c"], "zsh": ["c"], "lua": ["e"], "luajit": ["e"], "node": ["e", "p"],
    "nodejs": ["e", "p"], "perl": ["e", "E"], "php": ["r", "B", "R"], "pypy": ["c", "m"],
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
