internal import NIOCore
internal import NIOHTTP1

extension ReceivedRequest {
  /// The largest number of codings applied to each other.
  private static let maximumCodings = 4

  /// Removes the content codings from the body, as far as they are known.
  ///
  /// The result is kept up to the same bound as any body.
  ///
  /// - Throws: If the body does not have the stated codings.
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
