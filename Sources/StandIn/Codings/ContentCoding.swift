internal import NIOCore
internal import NIOHTTP1
internal import ScenarioModel

/// A content coding (RFC 9110, section 8.4.1; RFC 7932; RFC 8878).
enum ContentCoding: String, CaseIterable {
  case gzip, deflate, br, zstd

  /// Why bytes cannot be decoded.
  struct DecodingError: Error {
    let message: String
  }

  /// Reads a name; `x-gzip` is an old one of gzip.
  init?(name: some StringProtocol) {
    let name = name.lowercased()
    self.init(rawValue: name == "x-gzip" ? "gzip" : name)
  }

  /// The coding that a client likes best (RFC 9110, section 12.5.3); `nil` is none.
  ///
  /// Of several that it likes equally the first rules.
  static func preferred(by headers: HTTPHeaders) -> ContentCoding? {
    var best: (coding: ContentCoding, weight: Double)?
    var excluded: [ContentCoding] = []
    var wildcard = 0.0
    for item in headers[canonicalForm: "accept-encoding"] {
      let parts = item.split(separator: ";")
      guard let name = parts.first.map({ $0.filter { $0 != " " } }) else { continue }
      let weight = parts.dropFirst().compactMap { Self.weight($0) }.first ?? 1
      if name == "*" { wildcard = weight }
      guard let coding = ContentCoding(name: name) else { continue }
      if weight <= 0 { excluded.append(coding) }
      if weight > best?.weight ?? 0 { best = (coding, weight) }
    }
    if let best { return best.coding }
    guard wildcard > 0 else { return nil }
    return allCases.first { !excluded.contains($0) }
  }

  private static func weight(_ parameter: Substring) -> Double? {
    let text = parameter.filter { $0 != " " }.lowercased()
    return text.hasPrefix("q=") ? Double(text.dropFirst(2)) : nil
  }
}

extension ReceivedRequest {
  /// How many codings may lie on top of each other.
  private static let maximumCodings = 4

  /// Takes the content codings off the body, as far as they are known.
  ///
  /// What comes out is kept up to the same bound as any body.
  ///
  /// - Throws: If the body is not what the codings say.
  mutating func decodeBody() throws(ContentCoding.DecodingError) {
    guard bodyLength > 0 else { return }
    let names = head.headers[canonicalForm: "content-encoding"].filter {
      $0.lowercased() != "identity"
    }
    let codings = names.compactMap { ContentCoding(name: $0) }
    guard !codings.isEmpty, codings.count == names.count, codings.count <= Self.maximumCodings
    else { return }
    var bytes = body
    var isWhole = !isTruncated
    for coding in codings.reversed() {
      let result = try coding.decode(bytes, isWhole: isWhole, limit: HTTPLimits.maximumBody)
      (bytes, isWhole) = (result.bytes, result.isWhole)
    }
    replaceBody(bytes, length: bytes.readableBytes + (isWhole ? 0 : 1))
  }
}

extension PreparedReply {
  /// The largest file that is packed for the way, in bytes.
  private static let maximumPackedFile = 64 * 1024 * 1024

  /// Packs the body as the author and the client want it.
  mutating func applyCoding(_ encoding: BodyEncoding, for request: HTTPRequestHead) {
    guard encoding != .identity, mayHaveBody, !headers.contains(name: "content-encoding") else {
      return
    }
    if encoding == .auto { headers.add(name: "vary", value: "accept-encoding") }
    let coding =
      encoding == .auto
      ? ContentCoding.preferred(by: request.headers) : ContentCoding(rawValue: encoding.rawValue)
    guard let coding, let encoder = ContentEncoder(coding), let packed = packed(by: encoder) else {
      return
    }
    content = packed
    headers.add(name: "content-encoding", value: coding.rawValue)
  }

  private func packed(by encoder: ContentEncoder) -> ReplyContent? {
    switch content {
    case .body(.bytes(let bytes)):
      guard bytes.readableBytes > 0 else { return nil }
      return .body(.bytes(encoder.encode(bytes, isLast: true)))
    case .body(.file(var file)):
      guard file.length > 0, file.length <= Self.maximumPackedFile,
        let bytes = try? file.next(file.length)
      else { return nil }
      return .body(.bytes(encoder.encode(bytes, isLast: true)))
    case .script(var script):
      guard script.length == nil else { return nil }
      script.steps = steps(script.steps, packedBy: encoder)
      return .script(script)
    case .feed, .conversation, .webSocket, .tunnel:
      return nil
    }
  }

  /// Each piece can be unpacked as soon as it is there, and the end comes with the proper end only.
  private func steps(
    _ steps: [ReplyScript.Step], packedBy encoder: ContentEncoder
  ) -> [ReplyScript.Step] {
    var packed: [ReplyScript.Step] = []
    var isOver = false
    for step in steps {
      var step = step
      switch step.action {
      case .send(let part):
        step.action = .send(encoder.encode(part, isLast: false))
      case .finish:
        let end = encoder.encode(ByteBuffer(), isLast: true)
        packed.append(ReplyScript.Step(delay: step.delay, action: .send(end)))
        step.delay = .zero
        isOver = true
      case .abandon, .hang:
        isOver = true
      case .sendRaw:
        break
      }
      packed.append(step)
    }
    if !isOver {
      let end = encoder.encode(ByteBuffer(), isLast: true)
      packed.append(ReplyScript.Step(delay: .zero, action: .send(end)))
    }
    return packed
  }
}
