/// The names of protocols in TLS greetings (RFC 7301).
enum ALPN {
  /// HTTP/2 (RFC 9113, section 3.2).
  static let http2 = "h2"
  /// HTTP/1.1.
  static let http1 = "http/1.1"
}
