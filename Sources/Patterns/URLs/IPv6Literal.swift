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
    guard let head = halves.first.flatMap({ Self.groups(of: $0) }) else { return nil }
    switch halves.count {
    case 1 where head.count == Self.groupCount:
      groups = head
    case 2:
      // "::" stands for at least one group of zeroes.
      guard let tail = Self.groups(of: halves[1]), head.count + tail.count < Self.groupCount else {
        return nil
      }
      let gap = Self.groupCount - head.count - tail.count
      groups = head + [UInt16](repeating: 0, count: gap) + tail
    default:
      return nil
    }
  }

  private static func groups(of text: Substring) -> [UInt16]? {
    guard !text.isEmpty else { return [] }
    var groups: [UInt16] = []
    for part in text.split(separator: ":", omittingEmptySubsequences: false) {
      guard (1...4).contains(part.utf8.count), part.utf8.first != UInt8(ascii: "+"),
        let group = UInt16(part, radix: 16)
      else { return nil }
      groups.append(group)
    }
    return groups
  }
}
