/// Commands that a shell reads (sh(1)).
package enum ShellText {
  /// Returns whether a shell would run nothing: there are blanks and comments alone.
  package static func runsNothing(_ text: String) -> Bool {
    text.utf8.split(separator: UInt8(ascii: "\n")).allSatisfy { line in
      let first = line.first { !" \t\r".utf8.contains($0) }
      return first == nil || first == UInt8(ascii: "#")
    }
  }
}
