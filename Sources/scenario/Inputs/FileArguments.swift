internal import Foundations
internal import Glibc
internal import Patterns
internal import ScenarioRunner

/// Files that arguments name: by paths, folders and globs.
enum FileArguments {
  /// Returns whether a text has wildcards.
  static func isGlob(_ text: String) -> Bool { text.contains { "*?[".contains($0) } }

  /// The files that a glob matches, sorted.
  static func matching(_ glob: String) -> [String] {
    let fixed = glob.split(separator: "/", omittingEmptySubsequences: false)
      .prefix { !isGlob(String($0)) }
    let folder = fixed.joined(separator: "/")
    let start = glob.hasPrefix("/") && folder.isEmpty ? "/" : folder.isEmpty ? "." : folder
    let pattern = GlobPattern(glob)
    return FileTree.files(below: start).map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
      .filter { pattern.matches($0) }
  }

  /// Orders paths as people do: `run-2` comes before `run-10`.
  static func precedes(_ left: String, _ right: String) -> Bool {
    var (one, other) = (left.utf8[...], right.utf8[...])
    func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    while let first = one.first, let second = other.first {
      if isDigit(first), isDigit(second) {
        let numbers = [one.prefix(while: isDigit), other.prefix(while: isDigit)]
        let values = numbers.map { $0.drop { $0 == UInt8(ascii: "0") } }
        if values[0].count != values[1].count { return values[0].count < values[1].count }
        if !values[0].elementsEqual(values[1]) {
          return values[0].lexicographicallyPrecedes(values[1])
        }
        one = one.dropFirst(numbers[0].count)
        other = other.dropFirst(numbers[1].count)
      } else if first != second {
        return first < second
      } else {
        one = one.dropFirst()
        other = other.dropFirst()
      }
    }
    return one.isEmpty && other.isEmpty ? left < right : one.isEmpty
  }
}
