internal import NIOHTTP1

/// The rules for the Host field (RFC 9112, section 3.2).
enum HostField {
  /// Finds the mistake in a request's Host field, with advice; `nil` if there is none.
  static func problem(of head: HTTPRequestHead) -> (message: String, help: String)? {
    let values = head.headers["host"]
    if values.count > 1 {
      return ("the request has \(values.count) Host headers", "send one")
    }
    if values.isEmpty, head.version == .http1_1 {
      return ("the request has no Host header", "HTTP/1.1 requires one, which may be empty")
    }
    if let value = values.first, !value.isEmpty, HTTPAuthority.split(value) == nil {
      return ("the Host header \"\(value.prefix(256))\" is not a host", "send a name or an address")
    }
    return nil
  }
}
