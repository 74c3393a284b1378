internal import Foundations
internal import MockEngine

/// The secrets of a recorded command.
///
/// The text in place of a secret is the word that recordings have for it, so that the replay says the same as the
/// scenario, and it can be part of names of files.
struct RecordedSecrets: Sendable {
  /// Finds them.
  let redactor: SecretRedactor

  /// A text without secrets.
  func removed(from text: String) -> String {
    redactor.redacted(text, placeholder: Redaction.placeholder)
  }

  /// Returns whether bytes that cannot be changed, as they are no text, hold one.
  func areIn(_ bytes: [UInt8]) -> Bool {
    guard !redactor.isEmpty, RecordedCommand.text(bytes) == nil else { return false }
    // Of the bytes that are no ASCII, none is part of a secret that could be found.
    let text = String(decoding: bytes.map { $0 < 0x80 ? $0 : 0x20 }, as: UTF8.self)
    return redactor.redacted(text) != text
  }
}
