package import Foundations

extension Recording {
  /// Removes the values of secrets, wherever they occur: those behind the usual names are hidden
  /// already.
  ///
  /// YAML reads `*` as the beginning of an alias, so that a word takes their place.
  package mutating func redact(_ redactor: SecretRedactor) {
    guard !redactor.isEmpty else { return }
    text = redactor.redacted(text, placeholder: Redaction.placeholder)
    for index in bodies.indices {
      guard let body = String(validating: bodies[index].bytes, as: UTF8.self) else { continue }
      bodies[index].bytes = Array(
        redactor.redacted(body, placeholder: Redaction.placeholder).utf8)
    }
  }
}
