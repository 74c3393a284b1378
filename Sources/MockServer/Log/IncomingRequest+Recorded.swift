package import MockEngine
package import Patterns

extension IncomingRequest {
  /// The request as it was received, as far as the record keeps it; `nil` for a URL that is none.
  package init?(_ record: RecordedRequest) {
    guard let target = RequestTarget(url: record.url) else { return nil }
    self.init(
      method: record.method, target: target, headers: record.headers, body: record.body,
      bodyLength: record.bodyLength)
    bodyDigest = record.bodyDigest
    origin = record.origin
    clientCertificate = record.clientCertificate
    time = record.time
    call = record.call
  }
}

extension RequestTarget {
  /// Reads a whole URL: scheme, authority, and the rest.
  package init?(url: String) {
    guard let separator = url.firstRange(of: "://") else { return nil }
    let rest = url[separator.upperBound...]
    let slash = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    let scheme = String(url[..<separator.lowerBound])
    guard
      let target = try? RequestTarget(
        scheme: scheme, authority: String(rest[..<slash]), target: String(rest[slash...]))
    else { return nil }
    self = target
  }
}
