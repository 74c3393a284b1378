/// Removes secrets from texts: as they are, and in the forms that programs give them.
///
/// It finds the values themselves, in Base64 at any place of a longer text and in both alphabets,
/// in hexadecimal, with the escapes of URLs, forms and JSON; and what other searches find. A value in
/// which a text was cut off is found by its beginning, or by its end. The time is linear in the
/// text's length, but for the other searches.
package struct SecretRedactor: Sendable {
  /// The text that replaces a secret.
  package static let placeholder = "***"
  /// The least bytes that a secret has: shorter ones would take away what has nothing to do with them.
  package static let minimumLength = 6
  /// The least bytes of a secret that are hidden where a mark says that the text was cut off there.
  static let minimumCutLength = 3

  private let forms: PatternAutomaton
  private let plain: PatternAutomaton
  /// The same with the bytes of each form in reverse, for ends of secrets.
  private let backwardForms: PatternAutomaton
  private let backwardPlain: PatternAutomaton
  private let searches: [Search]

  /// Finds what is secret by another means: ranges of bytes of UTF-8.
  package typealias Search = @Sendable (String) -> [Range<Int>]

  /// Creates a redactor.
  ///
  /// - Parameters:
  ///   - values: What is secret; values below `minimumLength` are passed over.
  ///   - searches: Searches for more, such as those of regular expressions.
  package init(values: [String] = [], searches: [Search] = []) {
    let secrets = Set(
      values.map { Array($0.utf8) }.filter { $0.count >= Self.minimumLength }
        .flatMap(SecretForms.plain))
    let plainForms = Set(secrets.map { SecretForm(bytes: $0) })
    let allForms = Set(secrets.flatMap(SecretForms.all))
    plain = PatternAutomaton(plainForms)
    forms = PatternAutomaton(allForms)
    backwardPlain = PatternAutomaton(Set(plainForms.map(\.reversed)))
    backwardForms = PatternAutomaton(Set(allForms.map(\.reversed)))
    self.searches = searches
  }

  /// True if nothing is secret.
  package var isEmpty: Bool { plain.isEmpty && searches.isEmpty }

  /// Returns the text without secrets; `placeholder` replaces each.
  package func redacted(
    _ text: String, placeholder: String = SecretRedactor.placeholder
  ) -> String {
    let ranges = self.ranges(in: text)
    guard !ranges.isEmpty else { return text }
    let bytes = Array(text.utf8)
    var shown: [UInt8] = []
    shown.reserveCapacity(bytes.count)
    var position = 0
    for range in ranges {
      shown += bytes[position..<range.lowerBound]
      shown += Array(placeholder.utf8)
      position = range.upperBound
    }
    return String(decoding: shown + bytes[position...], as: UTF8.self)
  }

  /// Returns where the secrets of a text are, in bytes of UTF-8: in order, and none touches the next.
  package func ranges(in text: String) -> [Range<Int>] {
    guard !isEmpty, !text.isEmpty else { return [] }
    let bytes = Array(text.utf8)
    var found = searches.flatMap { $0(text) }
    if !plain.isEmpty {
      found += findings(in: bytes, by: forms, starts: nil)
      found += ends(in: bytes, by: backwardForms, starts: nil)
      for escapes in [DecodedText.Escapes.percent, .form, .backslash] where escapes.areIn(bytes) {
        let decoded = DecodedText(bytes, escapes)
        found += findings(in: decoded.bytes, by: plain, starts: decoded.starts)
        found += ends(in: decoded.bytes, by: backwardPlain, starts: decoded.starts)
      }
    }
    return Self.joined(found)
  }

  private func findings(
    in bytes: [UInt8], by automaton: PatternAutomaton, starts: [Int32]?
  ) -> [Range<Int>] {
    func place(_ index: Int) -> Int { starts.map { Int($0[index]) } ?? index }
    var found: [Range<Int>] = []
    var state: Int32 = 0
    for index in bytes.indices {
      let depth = Int(automaton.depths[Int(state)])
      if depth >= Self.minimumCutLength, TextCut.follows(bytes, at: index) {
        found.append(place(index - depth)..<place(index))
      }
      state = automaton.next(state, bytes[index])
      let match = automaton.matches[Int(state)]
      guard match.length > 0 else { continue }
      var start = index + 1 - Int(match.length)
      var end = index + 1
      if match.widensLeft, start > 0, SecretForms.isBase64Digit(bytes[start - 1]) { start -= 1 }
      if match.widensRight, end < bytes.count, SecretForms.isBase64Digit(bytes[end]) { end += 1 }
      found.append(place(start)..<place(end))
    }
    let depth = Int(automaton.depths[Int(state)])
    if depth >= Self.minimumLength {
      found.append(place(bytes.count - depth)..<place(bytes.count))
    }
    return found
  }

  /// The ends of secrets at the text's beginning, and behind each place where something is left out.
  private func ends(
    in bytes: [UInt8], by automaton: PatternAutomaton, starts: [Int32]?
  ) -> [Range<Int>] {
    func place(_ index: Int) -> Int { starts.map { Int($0[index]) } ?? index }
    let edges = TextCut.ends(in: bytes)
    var found: [Range<Int>] = []
    var state: Int32 = 0
    var edge = edges.count
    // Nothing that stands farther behind the last edge than a secret is long can begin there.
    let reach = min(bytes.count, (edges.last ?? 0) + automaton.greatestDepth)
    for index in (0..<reach).reversed() {
      state = automaton.next(state, bytes[index])
      let isEdge = edge > 0 && edges[edge - 1] == index
      if isEdge { edge -= 1 }
      guard isEdge || index == 0 else { continue }
      let depth = Int(automaton.depths[Int(state)])
      guard depth >= (isEdge ? Self.minimumCutLength : Self.minimumLength) else { continue }
      found.append(place(index)..<place(index + depth))
    }
    return found
  }

  /// Joins what touches: it is one secret in two forms, or one directly after the other.
  package static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var joined: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, range.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }
}
