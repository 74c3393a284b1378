/// The parts of a `multipart/form-data` body (RFC 7578).
enum MultipartForm {
  /// A part.
  struct Part: Hashable {
    var name: String
    var filename: String?
    var contentType: String?
    var body: ArraySlice<UInt8>
  }

  /// The parts in order; what has no name is left out.
  static func parts(of body: [UInt8], boundary: String) -> [Part] {
    let delimiter = Array("--\(boundary)".utf8)
    guard !boundary.isEmpty else { return [] }
    var parts: [Part] = []
    var start = find(delimiter, in: body[...])
    while let here = start {
      let rest = body[(here + delimiter.count)...]
      guard !rest.starts(with: "--".utf8), let contents = skipLine(rest) else { break }
      let end = find([0x0D, 0x0A] + delimiter, in: contents)
      if let part = part(contents[..<(end ?? contents.endIndex)]) { parts.append(part) }
      start = end.map { $0 + 2 }
    }
    return parts
  }

  private static func part(_ bytes: ArraySlice<UInt8>) -> Part? {
    var rest = bytes
    var headers: [String: HeaderValue] = [:]
    while let end = find([0x0D, 0x0A], in: rest) {
      let line = String(decoding: rest[..<end], as: UTF8.self)
      rest = rest[(end + 2)...]
      guard !line.isEmpty else { break }
      guard let colon = line.firstIndex(of: ":") else { return nil }
      headers[line[..<colon].lowercased()] = HeaderValue(line[line.index(after: colon)...])
    }
    guard let name = headers["content-disposition"]?.parameters["name"] else { return nil }
    return Part(
      name: name, filename: headers["content-disposition"]?.parameters["filename"],
      contentType: headers["content-type"]?.name, body: rest)
  }

  private static func skipLine(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    find([0x0D, 0x0A], in: bytes).map { bytes[($0 + 2)...] }
  }

  private static func find(_ needle: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = needle.first, bytes.count >= needle.count else { return nil }
    let last = bytes.endIndex - needle.count
    var index = bytes.startIndex
    while index <= last {
      if bytes[index] == first, bytes[index...].starts(with: needle) { return index }
      index += 1
    }
    return nil
  }
}
