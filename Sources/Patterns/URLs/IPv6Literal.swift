/// An IPv6 address as text (RFC 4291, section 2.2), with or without the brackets of a URL.
package struct IPv6Literal: Hashable, Sendable {
  /// The address, as eight numbers.
  let groups: [UInt16]

  private static let groupCount = 8

  /// The sixteen bytes in network order.
  package var bytes: [UInt8] {
    groups.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
  }

  /// Reads an address; `nil` for text of another kind.
  package init?(_ text: some StringProtocol) {
    var body = Substring(text)
    if body.hasPrefix("["), body.hasSuffix("]") { body = body.dropFirst().dropLast() }
    let halves = body.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
    guard let head = halves.first.flatMap({ Self.groups(of: $0, isEnd: halves.count == 1) })
    else { return nil }
    switch halves.count {
    case 1 where head.count == Self.groupCount:
      groups = head
    case 2:
      // "::" stands for at least one group of zeroes.
      guard let tail = Self.groups(of: halves[1], isEnd: true),
        head.count + tail.count < Self.groupCount
      else { return nil }
      let gap = Self.groupCount - head.count - tail.count
      groups = head + [UInt16](repeating: 0, count: gap) + tail
    default:
      return nil
    }
  }

  /// - Parameter isEnd: true at the end of the address, which may be an IPv4 address.
  private static func groups(of text: Substring, isEnd: Bool) -> [UInt16]? {
    guard !text.isEmpty else { return [] }
    var groups: [UInt16] = []
    var parts = text.split(separator: ":", omittingEmptySubsequences: false)
    var tail: [UInt16] = []
    if isEnd, let last = parts.last, let numbers = dotted(last) {
      tail = numbers
      parts.removeLast()
    }
    for part in parts {
      guard (1...4).contains(part.utf8.count), part.utf8.first != UInt8(ascii: "+"),
        let group = UInt16(part, radix: 16)
      else { return nil }
      groups.append(group)
    }
    return groups + tail
  }

  /// The two groups that an IPv4 address stands for; `nil` for other text.
  private static func dotted(_ text: Substring) -> [UInt16]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part -> UInt16? in
      let isPlain = part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard isPlain, part == "0" || part.first != "0" else { return nil }
      return UInt8(part).map { UInt16($0) }
    }
    guard parts.count == 4, numbers.count == 4 else { return nil }
    return [numbers[0] << 8 | numbers[1], numbers[2] << 8 | numbers[3]]
  }
}
