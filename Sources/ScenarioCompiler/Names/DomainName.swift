internal import Patterns

/// The wire form of domain names (RFC 1035, section 3.1).
enum DomainName {
  /// The longest label in bytes.
  static let maximumLabel = 63
  /// The longest name in bytes, with its lengths.
  static let maximumLength = 255

  /// Returns a name as length-prefixed labels; a final dot may be missing.
  ///
  /// `\.` is a dot within a label, and `\065` the byte of that number, as in master files.
  static func encoded(_ text: some StringProtocol) throws(PatternError) -> [UInt8] {
    guard text != "." else { return [0] }
    guard text != "@" else {
      throw PatternError(
        "\"@\" stands for no name here", help: "write the name in full, such as corp.test")
    }
    if AddressText.isIPv4(String(text)) || IPv6Literal(text) != nil {
      throw PatternError(
        "\"\(text)\" is an address, not a host name",
        help: "write the name of a host, and give that host the address by an A or AAAA record")
    }
    var labels: [[UInt8]] = [[]]
    var bytes = Array(text.utf8)[...]
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "\\"):
        guard let escaped = RecordText.escaped(&bytes) else {
          throw mistake(in: text, "write a backslash and three digits, or the character itself")
        }
        labels[labels.count - 1].append(escaped)
      case UInt8(ascii: "."): labels.append([])
      case let byte where isAllowed(byte): labels[labels.count - 1].append(byte)
      default:
        throw mistake(in: text, "use letters, digits, \"-\" and \"_\" between the dots")
      }
    }
    if labels.last?.isEmpty == true { labels.removeLast() }
    guard !labels.isEmpty, labels.allSatisfy({ !$0.isEmpty }) else {
      throw mistake(in: text, "write a name such as mail.corp.test")
    }
    var name: [UInt8] = []
    for label in labels { name += [UInt8(truncatingIfNeeded: label.count)] + label }
    name.append(0)
    guard labels.allSatisfy({ $0.count <= maximumLabel }), name.count <= maximumLength else {
      throw mistake(
        in: text, "a name has at most 253 characters, and each part between dots at most 63")
    }
    return name
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "/"), UInt8(ascii: "*"):
      true
    default: false
    }
  }

  private static func mistake(in text: some StringProtocol, _ help: String) -> PatternError {
    PatternError("\"\(text)\" is not a host name", help: help)
  }
}
