internal import MockEngine

/// What the answer to a question says.
struct DNSReply: Sendable {
  /// The longest datagram that every client takes (RFC 1035, section 2.3.4).
  static let usualRoom = 512
  /// The longest datagram that is sent, whatever the client takes: RFC 9715 advises that of Ethernet.
  static let maximumRoom = 1_400

  var code = DNSResponseCode.noError
  /// The records that answer.
  var answers: [NameRecord] = []
  /// The start of authority of an answer that something does not exist (RFC 2308).
  var authority: [NameRecord] = []
  /// True if the client is to ask again by a stream.
  var isCut = false

  /// The message for a question.
  ///
  /// - Parameter flags: those of the query that the answer repeats.
  func bytes(for question: DNSQuestion, identifier: UInt16, flags: UInt16) -> [UInt8] {
    let isUnknownVersion = (question.extensions?.version ?? 0) > 0
    let answers = isCut || isUnknownVersion ? [] : answers
    let authority = isCut || isUnknownVersion ? [] : authority
    var flags = flags | DNSMessage.Flags.response | DNSMessage.Flags.authoritative
    flags |= DNSMessage.Flags.recursionAvailable
    if !isUnknownVersion { flags |= code.rawValue }
    if isCut { flags |= DNSMessage.Flags.truncated }
    let counts = [1, answers.count, authority.count, question.extensions == nil ? 0 : 1]
    var bytes = Self.bigEndian(identifier) + Self.bigEndian(flags)
    bytes += counts.flatMap { Self.bigEndian(UInt16(clamping: $0)) }
    bytes += question.bytes
    var places = [question.name: DNSMessage.headerLength]
    for record in answers + authority {
      bytes += Self.owner(record.owner, at: bytes.count, &places)
      bytes += Self.bigEndian(record.type) + Self.bigEndian(DNSQuestion.internetClass)
      bytes += Self.bigEndian(UInt16(record.timeToLive >> 16))
      bytes += Self.bigEndian(UInt16(truncatingIfNeeded: record.timeToLive))
      bytes += Self.bigEndian(UInt16(clamping: record.data.count)) + record.data
    }
    if let extensions = question.extensions {
      bytes += Self.option(extensions, isUnknownVersion: isUnknownVersion)
    }
    return bytes
  }

  /// The name of a record: where it was said before, a pointer to there (RFC 1035, section 4.1.4).
  private static func owner(
    _ name: String, at place: Int, _ places: inout [String: Int]
  ) -> [UInt8] {
    guard !name.isEmpty else { return [0] }
    if let known = places[name] { return bigEndian(0xC000 | UInt16(known)) }
    // A pointer has 14 bits.
    if place < 0x4000 { places[name] = place }
    return NameZone.encoded(name)
  }

  /// The mock server's own OPT record (RFC 6891, section 6.1.1); BADVERS is 16, of which it has the upper bits.
  private static func option(_ extensions: DNSExtensions, isUnknownVersion: Bool) -> [UInt8] {
    [0] + bigEndian(DNSExtensions.recordType) + bigEndian(UInt16(maximumRoom))
      + [isUnknownVersion ? 1 : 0, 0]
      + bigEndian(extensions.flags & DNSExtensions.wantsSignatures) + [0, 0]
  }

  /// The message for a query that cannot be read.
  static func refusal(_ code: DNSResponseCode, identifier: UInt16) -> [UInt8] {
    let flags =
      DNSMessage.Flags.response | DNSMessage.Flags.authoritative
      | DNSMessage.Flags.recursionAvailable | code.rawValue
    return [identifier, flags, 0, 0, 0, 0].flatMap(bigEndian)
  }

  private static func bigEndian(_ value: UInt16) -> [UInt8] {
    [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)]
  }
}
