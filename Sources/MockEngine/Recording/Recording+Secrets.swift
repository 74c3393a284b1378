package import Foundations

extension Recording {
  /// Takes out the values of secrets, wherever they stand: what stands behind the usual names is hidden
  /// already.
  ///
  /// The language knows `*` as the beginning of an alias, so that a word stands in their place.
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
