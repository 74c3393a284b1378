/// The `content-type` of replies that do not name one.
enum MediaType {
  /// JSON.
  static let json = "application/json"
  /// Text.
  static let text = "text/plain; charset=utf-8"
  /// The media type of any bytes.
  static let bytes = "application/octet-stream"

  private static let types = [
    "css": "text/css; charset=utf-8", "csv": "text/csv; charset=utf-8", "gif": "image/gif",
    "gz": "application/gzip", "html": "text/html; charset=utf-8", "jpeg": "image/jpeg",
    "jpg": "image/jpeg", "js": "text/javascript; charset=utf-8", "json": json,
    "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml", "txt": text,
    "xml": "application/xml", "zip": "application/zip",
  ]

  /// The type of a file, by the ending of its name.
  static func ofFile(path: String) -> String {
    guard let name = path.split(separator: "/").last, let dot = name.lastIndex(of: ".") else {
      return bytes
    }
    return types[name[name.index(after: dot)...].lowercased()] ?? bytes
  }
}
