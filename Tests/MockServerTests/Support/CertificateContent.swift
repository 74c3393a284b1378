import NIOSSL

/// What stands in a certificate (RFC 5280, section 4.1), read from its bytes alone.
struct CertificateContent {
  /// A value of the distinguished encoding rules (ITU-T X.690).
  private struct Node {
    var tag: UInt8
    var content: [UInt8]

    var parts: [Node] { Self.all(in: content) }

    static func all(in bytes: [UInt8]) -> [Node] {
      var nodes: [Node] = []
      var rest = bytes[...]
      while let tag = rest.popFirst(), var length = rest.popFirst().map(Int.init) {
        if length >= 0x80 {
          let digits = rest.prefix(length & 0x7f)
          rest = rest.dropFirst(digits.count)
          length = digits.reduce(0) { $0 << 8 | Int($1) }
        }
        nodes.append(Node(tag: tag, content: Array(rest.prefix(length))))
        rest = rest.dropFirst(length)
      }
      return nodes
    }
  }

  /// The version's number, which is one less than its name.
  let version: [UInt8]
  let serial: [UInt8]
  /// The identifier of the signature's algorithm, in hexadecimal digits.
  let algorithm: String
  /// The parts of the names in order, such as `550403=api.test`.
  let issuer: [String]
  let subject: [String]
  /// Both dates as they stand there, behind their tags.
  let dates: [String]
  /// The point of the public key.
  let point: [UInt8]
  /// The extensions in order: identifier, `critical` or nothing, and value, in hexadecimal digits.
  let extensions: [String]

  struct Malformed: Error {}

  init(_ certificate: NIOSSLCertificate) throws {
    try self.init(bytes: certificate.toDERBytes())
  }

  init(pem: String) throws {
    try self.init(NIOSSLCertificate(bytes: Array(pem.utf8), format: .pem))
  }

  private init(bytes: [UInt8]) throws {
    let parts = Node.all(in: bytes).first?.parts.first?.parts ?? []
    guard parts.count == 8, parts[0].tag == 0xa0, parts[7].tag == 0xa3,
      let list = parts[7].parts.first, let key = parts[6].parts.last
    else { throw Malformed() }
    version = parts[0].parts.first?.content ?? []
    serial = parts[1].content
    algorithm = Self.digits(parts[2].parts.first?.content ?? [])
    issuer = Self.names(parts[3])
    dates = parts[4].parts.map {
      Self.digits([$0.tag]) + " " + String(decoding: $0.content, as: UTF8.self)
    }
    subject = Self.names(parts[5])
    // A bit string begins with the number of bits that are left over.
    point = Array(key.content.dropFirst())
    extensions = list.parts.map { entry in
      let isCritical = entry.parts.contains { $0.tag == 1 && $0.content == [0xff] }
      return Self.digits(entry.parts.first?.content ?? []) + (isCritical ? " critical " : " ")
        + Self.digits(entry.parts.last?.content ?? [])
    }
  }

  private static func names(_ node: Node) -> [String] {
    node.parts.flatMap(\.parts).map { pair in
      digits(pair.parts.first?.content ?? []) + "="
        + String(decoding: pair.parts.last?.content ?? [], as: UTF8.self)
    }
  }

  /// Bytes as hexadecimal digits.
  static func digits(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// The bytes of a value, with its tag and its length.
  static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = UInt8(truncatingIfNeeded: content.count)
    let lengthOfLength: UInt8 = content.count < 0x100 ? 0x81 : 0x82
    let long = [lengthOfLength] + (content.count < 0x100 ? [] : [UInt8(content.count >> 8)])
    return [tag] + (content.count < 0x80 ? [] : long) + [count] + content
  }
}
