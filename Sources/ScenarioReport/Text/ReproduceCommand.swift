internal import ScenarioEvents
internal import ScenarioModel

/// The one command that runs a case again.
enum ReproduceCommand {
  /// `scenario run FILE:LINE --seed N`, quoted for a shell where the path needs it.
  ///
  /// The line is the one that the scenario begins at: a failure may point at a default of the file,
  /// which selects nothing.
  static func text(for description: CaseDescription) -> String {
    let place = "\(description.file):\(description.range.line)"
    return "scenario run \(quoted(place)) --seed \(description.seed)"
  }

  private static func quoted(_ word: String) -> String {
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
