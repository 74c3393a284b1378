internal import Foundations

/// Finds secrets in texts that are not read as data: by the names in front of them.
///
/// It finds the members of JSON, in whatever text it is (lines, events, what the language cannot
/// write as data), the items of queries and fragments, and the elements and attributes of XML.
struct SecretSearch {
  /// A secret, by its bytes, and its replacement.
  struct Finding: Equatable {
    var range: Range<Int>
    var replacement: String
  }

  /// Returns whether the value of a name is a secret.
  let hides: (String) -> Bool

  /// The secrets of a text in order; none of them overlap.
  func findings(in text: [UInt8]) -> [Finding] {
    var findings = members(text)
    if text.contains(UInt8(ascii: "=")) { findings += items(text) }
    if text.contains(UInt8(ascii: "<")) { findings += elements(text) }
    findings.sort { $0.range.lowerBound < $1.range.lowerBound }
    var end = 0
    return findings.filter { finding in
      guard finding.range.lowerBound >= end else { return false }
      end = finding.range.upperBound
      return true
    }
  }

  // MARK: - JSON

  /// The container of a place in JSON.
  private struct Container {
    var isObject: Bool
    var isSecret: Bool
    /// True if the member that is being read is one.
    var isMemberSecret = false
    var isBehindColon = false

    /// True if the value that comes next is a secret.
    var isNextSecret: Bool { isSecret || isBehindColon && isMemberSecret }
  }

  /// Reads tokens as far as they are JSON's; what is none is passed over.
  private func members(_ text: [UInt8]) -> [Finding] {
    guard text.contains(UInt8(ascii: "\"")) else { return [] }
    var findings: [Finding] = []
    var stack: [Container] = []
    var index = 0
    while index < text.count {
      let isSecret = stack.last?.isNextSecret ?? false
      switch text[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        stack.append(Container(isObject: text[index] == UInt8(ascii: "{"), isSecret: isSecret))
        index += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        _ = stack.popLast()
        index += 1
      case UInt8(ascii: ","):
        if !stack.isEmpty { stack[stack.count - 1].isBehindColon = false }
        index += 1
      case UInt8(ascii: ":"):
        if !stack.isEmpty { stack[stack.count - 1].isBehindColon = true }
        index += 1
      case UInt8(ascii: "\""):
        guard let end = endOfString(text, from: index) else { return findings }
        let content = index + 1..<end
        if stack.last?.isObject == true, stack.last?.isBehindColon == false {
          let name = String(decoding: text[content], as: UTF8.self)
          stack[stack.count - 1].isMemberSecret = hides(name)
        } else if isSecret {
          findings.append(Finding(range: content, replacement: Redaction.placeholder))
        }
        index = end + 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        let start = index
        while index < text.count, isNumberPart(text[index]) { index += 1 }
        if isSecret { findings.append(Finding(range: start..<index, replacement: "0")) }
        if index == start { index += 1 }
      default:
        index += 1
      }
    }
    return findings
  }

  /// Returns the end of the string whose quote is at `start`; `nil` if it has none.
  private func endOfString(_ text: [UInt8], from start: Int) -> Int? {
    var index = start + 1
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\""): return index
      case UInt8(ascii: "\\"): index += 2
      default: index += 1
      }
    }
    return nil
  }

  private func isNumberPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  // MARK: - Queries

  /// Finds `?name=value`, `&name=value` and `#name=value`, in URLs anywhere.
  private func items(_ text: [UInt8]) -> [Finding] {
    let openers = Array("?&#".utf8)
    let closers = Array("&#\"'<> \t\r\n\\;,)".utf8)
    var findings: [Finding] = []
    var index = 0
    while index < text.count {
      defer { index += 1 }
      guard openers.contains(text[index]) else { continue }
      var start = index + 1
      // `&amp;name=value` in XML and HTML.
      if text[index] == UInt8(ascii: "&"), text[start...].starts(with: "amp;".utf8) { start += 4 }
      var equals = start
      while equals < text.count, isNamePart(text[equals]) { equals += 1 }
      guard equals < text.count, equals > start, text[equals] == UInt8(ascii: "=") else { continue }
      let name = PercentEncoding.decoded(
        String(decoding: text[start..<equals], as: UTF8.self)[...], plusIsSpace: true)
      guard hides(name) else { continue }
      let end = text[(equals + 1)...].firstIndex { closers.contains($0) } ?? text.count
      guard end > equals + 1 else { continue }
      findings.append(Finding(range: equals + 1..<end, replacement: Redaction.placeholder))
      index = end - 1
    }
    return findings
  }

  private func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "%"), UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: false
    }
  }

  // MARK: - XML

  /// `<name …>value</name>` without elements within, and `name="value"`.
  private func elements(_ text: [UInt8]) -> [Finding] {
    var findings: [Finding] = []
    var index = 0
    while let open = text[index...].firstIndex(of: UInt8(ascii: "<")) {
      var end = open + 1
      while end < text.count, isTagPart(text[end]) { end += 1 }
      let name = localName(text[open + 1..<end])
      while end < text.count, text[end] != UInt8(ascii: ">") {
        if let attribute = attribute(text, at: end) {
          if hides(attribute.name), !attribute.value.isEmpty {
            findings.append(
              Finding(range: attribute.value, replacement: Redaction.placeholder))
          }
          end = attribute.value.upperBound
        }
        end += 1
      }
      index = min(end + 1, text.count)
      guard hides(name) else { continue }
      let close = text[index...].firstIndex(of: UInt8(ascii: "<")) ?? text.count
      guard close > index, text[min(close + 1, text.count)...].first == UInt8(ascii: "/") else {
        continue
      }
      findings.append(Finding(range: index..<close, replacement: Redaction.placeholder))
      index = close
    }
    return findings
  }

  /// Returns an attribute whose name begins at a place, with the range of the value in its quotes.
  private func attribute(_ text: [UInt8], at start: Int) -> (name: String, value: Range<Int>)? {
    var end = start
    while end < text.count, isTagPart(text[end]) { end += 1 }
    guard end > start, end + 1 < text.count, text[end] == UInt8(ascii: "=") else { return nil }
    let quote = text[end + 1]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
      let close = text[(end + 2)...].firstIndex(of: quote)
    else { return nil }
    return (localName(text[start..<end]), end + 2..<close)
  }

  private func isTagPart(_ byte: UInt8) -> Bool {
    isNamePart(byte) && byte != UInt8(ascii: "%") || byte == UInt8(ascii: ":")
  }

  /// A name without the prefix of its name space.
  private func localName(_ name: ArraySlice<UInt8>) -> String {
    let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
    return String(decoding: local, as: UTF8.self)
  }
}

extension Redaction {
  /// A text as it may be shown: what is read as data is handed to `value(_:)` and `form(_:)` instead.
  package func text(_ text: String) -> String {
    let bytes = Array(text.utf8)
    let findings = SecretSearch(hides: hides).findings(in: bytes)
    guard !findings.isEmpty else { return text }
    var shown: [UInt8] = []
    var position = 0
    for finding in findings {
      shown += bytes[position..<finding.range.lowerBound]
      shown += Array(finding.replacement.utf8)
      position = finding.range.upperBound
    }
    return String(decoding: shown + bytes[position...], as: UTF8.self)
  }

  /// Returns whether a text holds a secret, by its value or by a name in front of it.
  func holdsSecret(_ text: String) -> Bool { partsBetweenSecrets(of: text) != nil }

  /// Returns whether bytes that are no text hold a secret.
  func holdsSecret(_ bytes: [UInt8]) -> Bool {
    holdsSecret(String(decoding: bytes, as: UTF8.self))
  }

  /// Returns whether bytes that are no text hold a value that is secret.
  func holdsSecretValue(_ bytes: [UInt8]) -> Bool {
    !values.ranges(in: String(decoding: bytes, as: UTF8.self)).isEmpty
  }

  /// The places of the secrets of a text, as offsets in UTF-8, in order.
  func secrets(in text: String) -> [Range<Int>] {
    let named = SecretSearch(hides: hides).findings(in: Array(text.utf8)).map(\.range)
    return SecretRedactor.joined(named + values.ranges(in: text))
  }

  /// The parts between the secrets of a text; `nil` if it has no secret.
  func partsBetweenSecrets(of text: String) -> [String]? {
    let bytes = Array(text.utf8)
    let ranges = secrets(in: text)
    guard !ranges.isEmpty else { return nil }
    var parts: [String] = []
    var position = 0
    for range in ranges {
      parts.append(String(decoding: bytes[position..<range.lowerBound], as: UTF8.self))
      position = range.upperBound
    }
    return parts + [String(decoding: bytes[position...], as: UTF8.self)]
  }
}
