internal import Supervisor

/// What a target wrote to one stream, over several starts.
struct KeptOutput {
  private(set) var bytes: [UInt8] = []
  private(set) var omitted = 0

  /// Adds what one start wrote.
  mutating func add(_ output: CapturedOutput) {
    bytes += output.bytes
    omitted += output.omitted
  }

  /// Whether a text stands in the last 64 KiB.
  func endContains(_ text: String) -> Bool {
    bytes.suffix(1 << 16).contains(Array(text.utf8))
  }

  /// The text for reports, invalid UTF-8 repaired; its last line says how much is missing.
  func text(of stream: StandardStream) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard omitted > 0 else { return text }
    let separator = bytes.isEmpty || bytes.last == UInt8(ascii: "\n") ? "" : "\n"
    return "\(text)\(separator)[\(omitted) bytes of \(stream.rawValue) were not kept]\n"
  }
}
