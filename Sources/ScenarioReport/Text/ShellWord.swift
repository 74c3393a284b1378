/// A word as a shell reads it back.
public enum ShellWord {
  /// The word as it is where nothing in it means anything to a shell, else within single quotes.
  public static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...0xFF:
        true
      default:
        "/._-:+,@%=".utf8.contains(byte)
      }
    }
    guard !isPlain else { return word }
    let inner = word.split(separator: "'", omittingEmptySubsequences: false)
    return "'\(inner.joined(separator: "'\\''"))'"
  }
}
