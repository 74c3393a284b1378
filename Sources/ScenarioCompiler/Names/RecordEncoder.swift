internal import Foundations
internal import Patterns
internal import ScenarioModel

/// Encodes the data of records as it goes over the wire.
enum RecordEncoder {
  /// The longest data of a record, in bytes.
  static let maximumLength = 65_535
  /// The longest text, in bytes (RFC 1035, section 3.3).
  static let maximumText = 255
  /// The longest time to live, in seconds (RFC 2181, section 8).
  static let maximumTime = UInt32(Int32.max)

  /// Returns the data of a record.
  static func data(_ text: String, of type: NameRecordType) throws(PatternError) -> [UInt8] {
    let data: [UInt8]
    if text.hasPrefix("\\#") {
      data = try bytes(text)
    } else if type == .text || type == .senderPolicy, !text.hasPrefix("\"") {
      // What is not in quotes is one text, spaces and all.
      data = texts(Array(text.utf8))
    } else {
      data = try parts(of: text, type)
      try checkDigest(data, text, type)
    }
    return try checked(data)
  }

  /// Returns the data of a record of a type without a word: hexadecimal digits, as RFC 3597, section 5, writes them, or
  /// alone.
  static func bytes(_ text: String) throws(PatternError) -> [UInt8] {
    var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    var length: Int?
    if words.first == "\\#" {
      guard words.count > 1, let count: Int = number(words[1]) else {
        throw PatternError(
          "\"\(text)\" has no length",
          help: "write \\#, the number of bytes, and their digits, as in \\# 4 0a000001")
      }
      length = count
      words.removeFirst(2)
    }
    guard let bytes = digits(words.joined()) else {
      throw PatternError(
        "\"\(text)\" is not data in hexadecimal digits",
        help: "write two digits for each byte, as in 0a000001")
    }
    if let length, length != bytes.count {
      throw PatternError(
        "the length of \"\(text)\" is \(bytes.count), not \(length)",
        help: "write \\# \(bytes.count), or the digits that are missing")
    }
    return try checked(bytes)
  }

  /// A digest whose length is not that of its kind makes clients refuse the whole message.
  private static func checkDigest(
    _ data: [UInt8], _ text: String, _ type: NameRecordType
  ) throws(PatternError) {
    let place: (kind: Int, begin: Int, lengths: [UInt8: Int])
    switch type {
    // RFC 4509, section 2, and RFC 6605, section 2; RFC 6698, section 2.1.3; RFC 6594, section 3.1.
    case .signer, .childSigner: place = (3, 4, [1: 20, 2: 32, 4: 48])
    case .tlsAssociation, .mailCertificate: place = (2, 3, [1: 32, 2: 64])
    case .shellFingerprint: place = (1, 2, [1: 20, 2: 32])
    default: return
    }
    guard data.count > place.begin, let length = place.lengths[data[place.kind]],
      data.count - place.begin != length
    else { return }
    throw PatternError(
      "\"\(text)\" has a digest of \(data.count - place.begin) bytes, not of \(length)",
      help: "write \(2 * length) digits, or another kind of digest in front of them")
  }

  private static func checked(_ data: [UInt8]) throws(PatternError) -> [UInt8] {
    guard data.count <= maximumLength else {
      throw PatternError(
        "the data of a record has at most \(maximumLength) bytes, not \(data.count)",
        help: "write several records")
    }
    return data
  }

  // MARK: - Parts

  private static func parts(
    of text: String, _ type: NameRecordType
  ) throws(PatternError) -> [UInt8] {
    var words = try RecordText(text).words[...]
    var data: [UInt8] = []
    for (name, part) in type.parts {
      guard let word = words.first else {
        if case .parameters = part { break }
        throw PatternError(
          "\"\(text)\" is not the data of \(type.rawValue) records: \(name) is missing",
          help: "write \(type.form), as in \"\(type.example)\"")
      }
      switch part {
      case .texts:
        data += words.flatMap { texts($0.bytes) }
        words = []
      case .digits:
        guard let bytes = digits(words.map(\.text).joined()), !bytes.isEmpty else {
          throw mistake(words, name, "two hexadecimal digits for each byte", type)
        }
        data += bytes
        words = []
      case .base64:
        guard let bytes = Base64.decoded(words.map(\.text).joined()), !bytes.isEmpty else {
          throw mistake(words, name, "Base64", type)
        }
        data += bytes
        words = []
      case .rest:
        data += words.map(\.bytes).joined(separator: [UInt8(ascii: " ")])
        words = []
      case .parameters:
        data += try ServiceParameters.encoded(words.map(\.text))
        words = []
      case .address, .longAddress, .name, .number, .seconds, .text, .tag:
        words.removeFirst()
        data += try encoded(word, part, name, type)
      }
    }
    guard let extra = words.first else { return data }
    throw PatternError(
      "\"\(text)\" is not the data of one \(type.rawValue) record: there is \"\(extra.text)\" behind it",
      help: "write \(type.form), as in \"\(type.example)\"; a list has several records")
  }

  private static func encoded(
    _ word: RecordText.Word, _ part: NameRecordType.Part, _ name: String, _ type: NameRecordType
  ) throws(PatternError) -> [UInt8] {
    switch part {
    case .address:
      guard let bytes = address(word.text) else {
        throw PatternError(
          "\"\(word.text)\" is not an IPv4 address",
          help: IPv6Literal(word.text) != nil
            ? "write AAAA for an IPv6 address"
            : "write four numbers, as in 10.1.2.3; for the name of a host, write CNAME")
      }
      return bytes
    case .longAddress:
      guard let literal = IPv6Literal(word.text), !word.text.hasPrefix("[") else {
        throw PatternError(
          "\"\(word.text)\" is not an IPv6 address",
          help: address(word.text) != nil
            ? "write A for an IPv4 address" : "write an address such as 2001:db8::1")
      }
      return literal.bytes
    case .name: return try DomainName.encoded(word.text)
    case .number(let count):
      let limit = UInt64(1) << UInt64(8 * count) - 1
      guard let number: UInt64 = number(word.text), number <= limit else {
        throw mistake([word], name, "a number from 0 to \(limit)", type)
      }
      return bigEndian(number, count: count)
    case .seconds:
      guard let seconds = seconds(word.text) else {
        throw mistake([word], name, "seconds, or a duration such as 1h", type)
      }
      return bigEndian(UInt64(seconds), count: 4)
    case .text:
      guard word.bytes.count <= maximumText else {
        throw mistake([word], name, "at most \(maximumText) bytes", type)
      }
      return [UInt8(word.bytes.count)] + word.bytes
    case .tag:
      let isTag = word.text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      guard isTag, (1...maximumText).contains(word.bytes.count) else {
        throw mistake([word], name, "letters and digits, as in issue", type)
      }
      return [UInt8(word.bytes.count)] + word.bytes
    case .texts, .digits, .base64, .rest, .parameters: return []
    }
  }

  private static func mistake(
    _ words: some Collection<RecordText.Word>, _ name: String, _ expected: String,
    _ type: NameRecordType
  ) -> PatternError {
    let text = words.map(\.text).joined(separator: " ")
    return PatternError(
      "\"\(text)\" is not the \(name) of \(type.rawValue) records, which is \(expected)",
      help: "write \(type.form), as in \"\(type.example)\"")
  }

  // MARK: - Values

  /// Texts of at most 255 bytes each; one at least.
  private static func texts(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else { return [0] }
    return stride(from: 0, to: bytes.count, by: maximumText).flatMap { start in
      let part = bytes[start..<min(start + maximumText, bytes.count)]
      return [UInt8(part.count)] + part
    }
  }

  /// The bytes of an IPv4 address: four numbers without leading zeros.
  static func address(_ text: some StringProtocol) -> [UInt8]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let bytes: [UInt8] = parts.compactMap {
      $0.count > 1 && $0.first == "0" ? nil : number($0)
    }
    return parts.count == 4 && bytes.count == 4 ? bytes : nil
  }

  private static func seconds(_ text: String) -> UInt32? {
    if let number: UInt32 = number(text) { return number }
    guard let duration = try? Nanoseconds(text: text.lowercased()) else { return nil }
    return timeToLive(duration)
  }

  /// Whole seconds; `nil` if a duration is no time to live.
  static func timeToLive(_ duration: Nanoseconds) -> UInt32? {
    let second = Nanoseconds.seconds(1)
    guard duration >= .zero, duration.count % second.count == 0,
      let seconds = UInt32(exactly: duration.count / second.count), seconds <= maximumTime
    else { return nil }
    return seconds
  }

  /// The number that decimal digits give; `nil` if there are other characters, such as a sign.
  static func number<Number: FixedWidthInteger>(_ text: some StringProtocol) -> Number? {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return text.utf8.allSatisfy { digits.contains($0) } ? Number(text, radix: 10) : nil
  }

  private static func digits(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      let pair = digits[index..<index + 2]
      guard pair.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        let byte = UInt8(String(decoding: pair, as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  /// A number, its most significant byte first.
  static func bigEndian(_ number: UInt64, count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }
}
