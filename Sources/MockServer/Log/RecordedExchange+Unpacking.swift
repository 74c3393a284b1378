package import MockEngine
internal import NIOCore
internal import NIOHTTP1

extension RecordedExchange {
  /// The exchange with its reply's body as it was before it was packed.
  ///
  /// Real hosts are asked for plain bodies; some pack them all the same, and what is packed would show neither
  /// differences nor secrets.
  func unpacked() -> RecordedExchange {
    guard case .reply(let reply) = outcome, let plain = reply.unpacked() else {
      return self
    }
    var exchange = self
    exchange.outcome = .reply(plain)
    return exchange
  }
}

extension RecordedReply {
  /// `nil` if the body is not packed, or cannot be unpacked within the bounds of a recording.
  package func unpacked() -> RecordedReply? {
    let isPacking = { (name: String) in name.lowercased() == "content-encoding" }
    let names = headers.filter { isPacking($0.name) }
      .flatMap { $0.value.split(separator: ",") }
      .map { $0.filter { !$0.isWhitespace }.lowercased() }
      .filter { $0 != "identity" && !$0.isEmpty }
    let codings = names.compactMap { ContentCoding(name: $0) }
    guard !isCut, !codings.isEmpty, codings.count == names.count, !body.isEmpty else { return nil }
    var bytes = ByteBuffer(bytes: body)
    for coding in codings.reversed() {
      guard
        let result = try? coding.decode(
          bytes, isWhole: true, limit: RecordedReply.maximumKeptBody),
        result.isWhole
      else { return nil }
      bytes = result.bytes
    }
    return RecordedReply(
      status: status, headers: headers.filter { !isPacking($0.name) },
      body: Array(bytes.readableBytesView))
  }
}
