internal import Foundations
internal import NIOCore
internal import NIOHTTP1
internal import ScenarioModel

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

  /// Packs steps so that each piece can be unpacked as soon as it is there, and the end comes with
  /// the proper end only.
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
