internal import Foundations

/// Reads how long the cases of a JUnit report took, whichever program wrote it.
///
/// Only tags and attributes count. What is not well formed is passed over: a report of an earlier run is no
/// more than a hint.
struct JUnitTimes {
  /// One case of a report.
  struct Entry: Hashable {
    /// The file that the case, or its suite, says it comes from.
    var file: String?
    var className: String
    var name: String
    var duration: Nanoseconds
  }

  /// The cases that were run, in order.
  private(set) var entries: [Entry] = []
  /// The beginning of the first suite, as the report writes it; empty where it does not.
  private(set) var timestamp = ""

  private let bytes: [UInt8]
  private var place = 0
  private var suiteFile: String?
  private var pending: Entry?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    while let start = next(UInt8(ascii: "<")) {
      place = start + 1
      if skip("!--", to: "-->") || skip("![CDATA[", to: "]]>") || skip("?", to: "?>") { continue }
      readTag()
    }
    end()
  }

  // MARK: - Tags

  private mutating func readTag() {
    let isEnd = place < bytes.count && bytes[place] == UInt8(ascii: "/")
    if isEnd { place += 1 }
    let name = word()
    guard !isEnd else {
      if name == "testcase" { end() }
      return
    }
    switch name {
    case "testsuite":
      let attributes = attributes()
      suiteFile = attributes["file"]
      if timestamp.isEmpty { timestamp = attributes["timestamp"] ?? "" }
    case "testcase":
      end()
      let attributes = attributes()
      guard let name = attributes["name"], let time = attributes["time"],
        let duration = Self.duration(time)
      else { return }
      pending = Entry(
        file: attributes["file"] ?? suiteFile, className: attributes["classname"] ?? "",
        name: name, duration: duration)
    case "skipped": pending = nil
    default: break
    }
  }

  private mutating func end() {
    if let pending { entries.append(pending) }
    pending = nil
  }

  private mutating func attributes() -> [String: String] {
    var attributes: [String: String] = [:]
    while true {
      skipSpace()
      let name = word()
      skipSpace()
      guard !name.isEmpty, place < bytes.count, bytes[place] == UInt8(ascii: "=") else {
        return attributes
      }
      place += 1
      skipSpace()
      guard place < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[place])
      else { return attributes }
      let quote = bytes[place]
      place += 1
      let start = place
      guard let end = next(quote) else {
        place = bytes.count
        return attributes
      }
      place = end + 1
      attributes[name] = Self.decoded(String(decoding: bytes[start..<end], as: UTF8.self))
    }
  }

  // MARK: - Bytes

  private func next(_ byte: UInt8) -> Int? {
    place < bytes.count ? bytes[place...].firstIndex(of: byte) : nil
  }

  /// Passes over what begins with a text, until its end; whether it did.
  private mutating func skip(_ start: String, to end: String) -> Bool {
    guard bytes[place...].starts(with: start.utf8) else { return false }
    let ending = Array(end.utf8)
    place += start.utf8.count
    while let candidate = next(ending[0]) {
      place = candidate
      if bytes[place...].starts(with: ending) {
        place += ending.count
        return true
      }
      place += 1
    }
    place = bytes.count
    return true
  }

  private mutating func word() -> String {
    let start = place
    while place < bytes.count {
      switch bytes[place] {
      case 9, 10, 13, 32, UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "/"),
        UInt8(ascii: "<"), UInt8(ascii: "\""), UInt8(ascii: "'"):
        return String(decoding: bytes[start..<place], as: UTF8.self)
      default: place += 1
      }
    }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func skipSpace() {
    while place < bytes.count, [9, 10, 13, 32].contains(bytes[place]) { place += 1 }
  }

  /// The text without the five entities of XML and its numbers of characters.
  private static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      rest = rest[start...]
      guard let end = rest.firstIndex(of: ";"), let character = character(rest[..<end].dropFirst())
      else {
        result.append("&")
        rest = rest.dropFirst()
        continue
      }
      result.append(character)
      rest = rest[end...].dropFirst()
    }
    return result + rest
  }

  private static func character(_ name: Substring) -> Character? {
    let named: [Substring: Character] = [
      "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]
    if let character = named[name] { return character }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let code = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return code.flatMap(Unicode.Scalar.init).map(Character.init)
  }

  /// Seconds with decimals, with commas between thousands as surefire writes them.
  static func duration(_ text: String) -> Nanoseconds? {
    guard let seconds = Double(text.filter { $0 != "," }), seconds >= 0, seconds < 1e9 else {
      return nil
    }
    return Nanoseconds(Int64((seconds * 1e9).rounded()))
  }
}
