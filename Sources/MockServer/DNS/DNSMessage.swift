/// The one question of a DNS message (RFC 1035, section 4.1).
struct DNSQuestion: Hashable, Sendable {
  /// The longest name with its length bytes (RFC 1035, section 2.3.4).
  static let maximumNameLength = 255
  /// The longest label.
  static let maximumLabelLength = 63

  /// Kinds of records that get an answer.
  enum RecordType {
    static let address: UInt16 = 1
    static let authority: UInt16 = 6
    static let pointer: UInt16 = 12
    static let longAddress: UInt16 = 28
  }

  /// The Internet class.
  static let internetClass: UInt16 = 1
  /// Any class.
  static let anyClass: UInt16 = 255

  /// The name in lower case, without a final dot; empty for the root.
  var name: String
  /// The requested type.
  var type: UInt16
  /// The requested class.
  var recordClass: UInt16
  /// The question as it came, which the answer repeats (with the letter case of the client).
  var bytes: [UInt8]
  /// What the client says by EDNS; `nil` if it does not speak that.
  var extensions: DNSExtensions?

  /// The largest answer, in bytes, that the client takes, if it says so (RFC 6891, section 6.1.2).
  var answerRoom: UInt16? { extensions?.room }
}

/// An OPT record (RFC 6891, section 6.1).
struct DNSExtensions: Hashable, Sendable {
  /// The number of the record's type.
  static let recordType: UInt16 = 41
  /// The flag of a client that wants signatures (RFC 3225).
  static let wantsSignatures: UInt16 = 0x8000

  /// The largest datagram that its sender takes.
  var room: UInt16
  /// The version, of which there is one: 0.
  var version: UInt8
  /// The flags.
  var flags: UInt16
}

/// The contents of a datagram.
enum DNSMessage: Hashable, Sendable {
  /// A query with one question; of its flags those that the answer repeats.
  case query(DNSQuestion, identifier: UInt16, flags: UInt16)
  /// Not readable; answered with that code.
  case refused(DNSResponseCode, identifier: UInt16)
  /// A message that must not be answered: too short for an identifier, or itself an answer.
  case ignored
}

/// The response codes in use (RFC 1035, section 4.1.1).
enum DNSResponseCode: UInt16, Hashable, Sendable {
  case noError = 0
  case formatError = 1
  case serverFailure = 2
  case nameError = 3
  case notImplemented = 4
  case refused = 5
}

extension DNSMessage {
  /// The length of the header.
  static let headerLength = 12

  /// Reads a message from bytes of unknown origin.
  ///
  /// Compression pointers are refused: a query has one question, at the beginning, and there is nothing
  /// in front of it that a pointer could mean. What follows the question (EDNS) does not matter here.
  init(_ bytes: [UInt8]) {
    guard bytes.count >= 2 else {
      self = .ignored
      return
    }
    let identifier = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
    guard bytes.count >= Self.headerLength else {
      self = .refused(.formatError, identifier: identifier)
      return
    }
    let flags = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    guard flags & Flags.response == 0 else {
      self = .ignored
      return
    }
    guard flags & Flags.operationMask == 0 else {
      self = .refused(.notImplemented, identifier: identifier)
      return
    }
    let questionCount = UInt16(bytes[4]) << 8 | UInt16(bytes[5])
    guard questionCount == 1, let question = DNSQuestion(in: bytes, at: Self.headerLength) else {
      self = .refused(.formatError, identifier: identifier)
      return
    }
    self = .query(question, identifier: identifier, flags: flags & Flags.repeated)
  }

  /// The bits of the header's second word.
  enum Flags {
    static let response: UInt16 = 0x8000
    static let operationMask: UInt16 = 0x7800
    static let authoritative: UInt16 = 0x0400
    static let truncated: UInt16 = 0x0200
    static let recursionDesired: UInt16 = 0x0100
    static let recursionAvailable: UInt16 = 0x0080
    static let checkingDisabled: UInt16 = 0x0010
    /// RFC 1035, section 4.1.1, and RFC 4035, section 3.2.2.
    static let repeated = recursionDesired | checkingDisabled
  }
}

extension DNSQuestion {
  /// Reads the question at an offset; `nil` if it is cut short or not well formed.
  fileprivate init?(in message: [UInt8], at start: Int) {
    var position = start
    var labels: [String] = []
    while true {
      guard position < message.count else { return nil }
      let length = Int(message[position])
      position += 1
      if length == 0 { break }
      guard length <= Self.maximumLabelLength, position + length <= message.count,
        position + length - start < Self.maximumNameLength
      else { return nil }
      guard let label = Self.label(message[position..<position + length]) else { return nil }
      labels.append(label)
      position += length
    }
    guard position + 4 <= message.count else { return nil }
    name = labels.joined(separator: ".")
    type = UInt16(message[position]) << 8 | UInt16(message[position + 1])
    recordClass = UInt16(message[position + 2]) << 8 | UInt16(message[position + 3])
    bytes = Array(message[start..<position + 4])
    extensions = Self.extensions(in: message, at: position + 4)
  }

  /// The OPT record (RFC 6891, section 6.1.2) that follows the question.
  private static func extensions(in message: [UInt8], at position: Int) -> DNSExtensions? {
    let option: [UInt8] = [0, 0, UInt8(DNSExtensions.recordType)]
    let hasRecord = message[10] != 0 || message[11] != 0
    guard hasRecord, position + 11 <= message.count,
      message[position..<position + 3].elementsEqual(option)
    else { return nil }
    return DNSExtensions(
      room: UInt16(message[position + 3]) << 8 | UInt16(message[position + 4]),
      version: message[position + 6],
      flags: UInt16(message[position + 7]) << 8 | UInt16(message[position + 8]))
  }

  /// A label in lower case; `nil` if its text would be ambiguous.
  private static func label(_ bytes: ArraySlice<UInt8>) -> String? {
    var text = ""
    for byte in bytes {
      guard (0x21...0x7E).contains(byte), byte != UInt8(ascii: ".") else { return nil }
      let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      text.unicodeScalars.append(Unicode.Scalar(isCapital ? byte | 0x20 : byte))
    }
    return text
  }
}
