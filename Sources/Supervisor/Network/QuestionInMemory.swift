/// The host name that a thread is about to ask a name server for, found in its memory.
///
/// Where nothing may leave, the connection to the name server is refused before the query is sent.
/// Resolvers have written it by then: glibc and musl on the stack, Go in a buffer to which the
/// stack points. The name only appears in messages; one that is found by chance can be no more than
/// a wrong name there.
struct QuestionInMemory {
  /// The part of the stack that is searched, in bytes.
  private static let stackLength = 32 << 10
  /// The largest number of places to which the stack points that are searched.
  private static let placeLimit = 1_024
  /// The length of the longest name with its message around it (RFC 1035, sections 2.3.4 and 4.1).
  private static let longestQuestion = headerLength + 255 + 4
  private static let headerLength = 12
  /// A, NS, CNAME, SOA, PTR, MX, TXT, AAAA, SRV, SVCB, HTTPS, any.
  private static let types: Set<UInt16> = [1, 2, 5, 6, 12, 15, 16, 28, 33, 64, 65, 255]

  let memory: TargetMemory

  /// The name in a call that sends the question itself; the stack and what it points to otherwise.
  func name(for registers: Registers) -> String? {
    sentName(registers) ?? nameOnStack(from: registers.stackPointer)
  }

  private func sentName(_ registers: Registers) -> String? {
    var place = registers[argument: 1]
    var length = registers[argument: 2]
    switch registers.systemCall {
    case SystemCallNumber.sendto: break
    case SystemCallNumber.sendmsg, SystemCallNumber.sendmmsg:
      // The first part of the first message (sendmsg(2), readv(2)).
      guard let parts = memory.read(UInt64.self, at: place &+ 16),
        let first = memory.read(UInt64.self, at: parts),
        let count = memory.read(UInt64.self, at: parts &+ 8)
      else { return nil }
      (place, length) = (first, count)
    default: return nil
    }
    let message = memory.readBytes(Int(min(length, UInt64(Self.longestQuestion))), at: place)
    return Self.name(in: message, at: 0)
  }

  private func nameOnStack(from stackPointer: UInt64) -> String? {
    let stack = memory.readBytes(Self.stackLength, at: stackPointer)
    for offset in stack.indices {
      if let name = Self.name(in: stack, at: offset) { return name }
    }
    var looked: Set<UInt64> = []
    // The stack is aligned to words (System V ABI, section 3.2.2).
    for offset in stride(from: 0, to: stack.count - 7, by: 8) where looked.count < Self.placeLimit {
      let place = stack[offset..<(offset + 8)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
      let isOnStack = place >= stackPointer && place < stackPointer &+ UInt64(stack.count)
      guard place > 0xFFFF, place < 1 << 47, !isOnStack, looked.insert(place).inserted else {
        continue
      }
      let bytes = memory.readBytes(Self.longestQuestion, at: place)
      if let name = Self.name(in: bytes, at: 0) { return name }
    }
    return nil
  }

  /// Returns the name of the one question in a message at a place; `nil` if the bytes are no query
  /// of a client.
  static func name(in bytes: [UInt8], at start: Int) -> String? {
    guard start + headerLength + 7 <= bytes.count else { return nil }
    // No answer, a standard query, recursion desired; one question, and nothing else but perhaps EDNS.
    guard bytes[start + 2] == 0x01, bytes[start + 3] & 0xCF == 0, bytes[start + 4] == 0,
      bytes[start + 5] == 1, bytes[(start + 6)...(start + 10)].allSatisfy({ $0 == 0 }),
      bytes[start + 11] <= 1
    else { return nil }
    var labels: [String] = []
    var position = start + headerLength
    while position < bytes.count, bytes[position] != 0 {
      let length = Int(bytes[position])
      let label = bytes[min(position + 1, bytes.count)..<min(position + 1 + length, bytes.count)]
      guard length <= 63, label.count == length, label.allSatisfy(isNamePart) else { return nil }
      labels.append(String(decoding: label, as: UTF8.self))
      position += 1 + length
    }
    guard !labels.isEmpty, position + 4 < bytes.count, position - start - headerLength < 255 else {
      return nil
    }
    let type = UInt16(bytes[position + 1]) << 8 | UInt16(bytes[position + 2])
    guard types.contains(type), bytes[position + 3] == 0, bytes[position + 4] == 1 else {
      return nil
    }
    return labels.joined(separator: ".").lowercased()
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
