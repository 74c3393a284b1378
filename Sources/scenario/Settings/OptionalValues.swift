internal import Glibc
internal import ScenarioRunner

/// Options whose value may be left out: `--changed` beside `--changed REF` and `--changed=REF`.
enum OptionalValues {
  private struct Option: Sendable {
    /// The value of the option if it has none.
    let usual: String
    /// True if the next word is the value, and not a file or folder to run.
    let takes: @Sendable (String) -> Bool
  }

  private static let options: [String: Option] = [
    // What there is a file of is what is to be run, as with git's own REF and PATH.
    "--changed": Option(usual: CaseFilterOptions.changedDefault) { !isPath($0) },
    "--keep-workdir": Option(usual: KeptFolders.failed.rawValue) {
      KeptFolders(rawValue: $0) != nil || !isPath($0)
    },
    "--fail-fast": Option(usual: "1") { Int($0) != nil || !isPath($0) },
  ]

  /// The arguments with every value written out.
  static func completed(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    var completed: [String] = []
    var index = arguments.startIndex
    while index < end {
      let argument = arguments[index]
      index += 1
      guard let option = options[argument] else {
        completed.append(argument)
        continue
      }
      guard index < end, !arguments[index].hasPrefix("-"), option.takes(arguments[index]) else {
        completed.append("\(argument)=\(option.usual)")
        continue
      }
      completed.append("\(argument)=\(arguments[index])")
      index += 1
    }
    return completed + arguments[end...]
  }

  /// Returns whether a word is a file or folder, or `FILE:LINE`.
  private static func isPath(_ word: String) -> Bool {
    if access(word, F_OK) == 0 { return true }
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count > 1, parts.dropFirst().allSatisfy({ Int($0) != nil }) else { return false }
    return access(String(parts[0]), F_OK) == 0
  }
}
