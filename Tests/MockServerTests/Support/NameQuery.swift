/// A DNS query as bytes, and the answer's parts that the tests look at.
enum NameQuery {
  static func bytes(
    _ name: String, type: UInt16 = 1, identifier: UInt16 = 0x1234, extra: [UInt8] = [],
    additional: UInt8 = 0
  ) -> [UInt8] {
    let labels = name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    let header: [UInt8] = [
      UInt8(identifier >> 8), UInt8(identifier & 0xFF), 0x01, 0x00, 0, 1, 0, 0, 0, 0, 0, additional,
    ]
    return header + labels + [0, UInt8(type >> 8), UInt8(type & 0xFF), 0, 1] + extra
  }

  struct Answer: Equatable {
    var identifier: UInt16
    var isResponse: Bool
    var code: UInt8
    var questions: Int
    /// The data of the only record.
    var data: [UInt8]?
    var timeToLive: [UInt8]?
  }

  static func parse(_ bytes: [UInt8]) -> Answer? {
    guard bytes.count >= 12 else { return nil }
    var answer = Answer(
      identifier: UInt16(bytes[0]) << 8 | UInt16(bytes[1]), isResponse: bytes[2] & 0x80 != 0,
      code: bytes[3] & 0x0F, questions: Int(bytes[5]))
    guard bytes[7] == 1 else { return answer }
    var position = 12
    while position < bytes.count, bytes[position] != 0 { position += Int(bytes[position]) + 1 }
    // Root label, type and class; then pointer, type and class of the record.
    position += 5 + 6
    guard position + 6 <= bytes.count else { return nil }
    answer.timeToLive = Array(bytes[position..<position + 4])
    let length = Int(bytes[position + 4]) << 8 | Int(bytes[position + 5])
    answer.data = Array(bytes[(position + 6)...].prefix(length))
    return answer
  }
}
