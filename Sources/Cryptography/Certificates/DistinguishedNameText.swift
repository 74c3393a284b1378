internal import Foundations

/// A distinguished name as text (RFC 4514).
struct DistinguishedNameText {
  let text: String
  let commonNames: [String]

  /// The attributes' short names (section 3), and two that OpenSSL has as well, by their object identifiers.
  private static let types: [[UInt8]: String] = [
    [0x55, 4, 3]: "CN", [0x55, 4, 7]: "L", [0x55, 4, 8]: "ST", [0x55, 4, 10]: "O",
    [0x55, 4, 11]: "OU", [0x55, 4, 6]: "C", [0x55, 4, 9]: "STREET", [0x55, 4, 5]: "serialNumber",
    [0x09, 0x92, 0x26, 0x89, 0x93, 0xf2, 0x2c, 0x64, 1, 25]: "DC",
    [0x09, 0x92, 0x26, 0x89, 0x93, 0xf2, 0x2c, 0x64, 1, 1]: "UID",
    [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 1]: "emailAddress",
  ]

  init(_ name: DERReader) {
    var commonNames: [String] = []
    let parts = name.all.map { part in
      part.all.compactMap { attribute -> String? in
        var reader = attribute.parts
        guard let type = reader.next(0x06), let value = reader.next() else { return nil }
        let text = Self.text(of: value)
        let short = Self.types[Array(type.content)]
        if short == "CN", let text { commonNames.append(text) }
        guard let short, let text else {
          return "\(Self.dotted(type.content))=#\(Array(value.content).hexadecimal)"
        }
        return "\(short)=\(Self.escaped(text))"
      }.joined(separator: "+")
    }
    // Section 2.1: the last one first.
    text = parts.reversed().joined(separator: ",")
    self.commonNames = commonNames
  }

  /// UTF8String, PrintableString, IA5String, and of the rest what looks like text; BMPString has two bytes for each.
  private static func text(of value: DERReader.Value) -> String? {
    guard value.tag == 0x1e else { return String(validating: value.content, as: UTF8.self) }
    let bytes = Array(value.content)
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    return String(validating: units, as: UTF16.self)
  }

  /// Section 2.4.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for (index, character) in text.enumerated() {
      let isEdge = index == 0 || index == text.count - 1
      let isSpecial =
        ",+\"\\<>;".contains(character) || isEdge && character == " "
        || index == 0 && character == "#"
      escaped += isSpecial ? "\\\(character)" : String(character)
    }
    return escaped
  }

  /// Section 8.19 of X.690.
  private static func dotted(_ identifier: ArraySlice<UInt8>) -> String {
    var numbers: [UInt64] = []
    var number: UInt64 = 0
    for byte in identifier {
      number = number << 7 | UInt64(byte & 0x7f)
      guard byte & 0x80 == 0 else { continue }
      if numbers.isEmpty {
        let first = min(number / 40, 2)
        numbers = [first, number - first * 40]
      } else {
        numbers.append(number)
      }
      number = 0
    }
    return numbers.map(String.init).joined(separator: ".")
  }
}
