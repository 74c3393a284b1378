/// What ends a line: LF, CR LF and CR (YAML 1.2, section 5.4).
package enum LineBreak {
  /// Returns whether a line ends with a byte: with LF, or with a CR that no LF follows.
  package static func ends(_ bytes: [UInt8], at index: Int) -> Bool {
    switch bytes[index] {
    case UInt8(ascii: "\n"): true
    case UInt8(ascii: "\r"):
      index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n")
    default: false
    }
  }
}
