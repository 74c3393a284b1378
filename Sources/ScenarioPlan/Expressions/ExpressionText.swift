package import Patterns

/// The limits on the length of texts that expressions make: doubled often enough, a letter fills
/// any memory.
package enum ExpressionText {
  /// The most bytes of UTF-8 that one operator, function or template makes.
  static let limit = 1_000_000
  /// The most that the expressions of a case make together before it runs.
  package static let sumLimit = 100_000_000

  /// Refuses a text that is too long, before it is made where its length is known.
  ///
  /// - Parameters:
  ///   - count: the number of bytes that it has, or would have.
  ///   - maker: the maker of the text, for the message: `"+"`, `join()`.
  package static func check(_ count: Int, _ maker: String) throws(PatternError) {
    guard count <= limit else { throw tooLong(maker) }
  }

  static func tooLong(_ maker: String) -> PatternError {
    PatternError(
      "\(maker) makes more than \(limit) bytes of text",
      help: "generate less text; read long texts from files: { $file: PATH }")
  }

  /// The same for parts that follow each other.
  static func check(_ parts: some Sequence<Int>, _ maker: String) throws(PatternError) {
    var sum = 0
    for part in parts {
      sum = sum.addingReportingOverflow(part).overflow ? .max : sum + part
      try check(sum, maker)
    }
  }
}
