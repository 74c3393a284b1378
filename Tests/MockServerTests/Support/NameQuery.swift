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

  /// A record of an answer.
  struct Record: Equatable {
    var section: Int
    var owner: String
    var type: UInt16
    var timeToLive: UInt32
    var data: [UInt8]
  }

  /// All records of a message, those of EDNS among them; `nil` if it is not well formed to its last byte.
  static func records(in bytes: [UInt8]) -> [Record]? {
    func number(at place: Int, count: Int) -> UInt32 {
      bytes[place..<place + count].reduce(0) { $0 << 8 | UInt32($1) }
    }
    func name(at start: Int) -> (String, end: Int)? {
      var labels: [String] = []
      var (position, end) = (start, Int?.none)
      while position < bytes.count, bytes[position] != 0 {
        if bytes[position] >= 0xC0 {
          guard position + 1 < bytes.count else { return nil }
          end = end ?? position + 2
          position = Int(number(at: position, count: 2)) & 0x3FFF
        } else {
          let label = position + 1..<position + 1 + Int(bytes[position])
          guard label.upperBound < bytes.count else { return nil }
          labels.append(String(decoding: bytes[label], as: UTF8.self))
          position = label.upperBound
        }
      }
      return (labels.joined(separator: "."), end ?? position + 1)
    }
    guard bytes.count >= 12, let (_, questionEnd) = name(at: 12) else { return nil }
    var position = questionEnd + 4
    var records: [Record] = []
    for section in 1...3 {
      for _ in 0..<number(at: 4 + 2 * section, count: 2) {
        guard let (owner, end) = name(at: position), end + 10 <= bytes.count else { return nil }
        let length = Int(number(at: end + 8, count: 2))
        guard end + 10 + length <= bytes.count else { return nil }
        records.append(
          Record(
            section: section, owner: owner, type: UInt16(number(at: end, count: 2)),
            timeToLive: number(at: end + 4, count: 4),
            data: Array(bytes[end + 10..<end + 10 + length])))
        position = end + 10 + length
      }
    }
    return position == bytes.count ? records : nil
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
