internal import Patterns

/// One part of a multipart body (RFC 7578).
package struct MultipartPart: Sendable, Hashable {
  /// Its name.
  package var name: String
  /// The name of the file that it carries, if it does.
  package var filename: String?
  /// Its type; RFC 7578, section 4.4: text unless said.
  package var contentType: String
  /// Its content.
  package var content: [UInt8]
}

/// Readers of what requests carry beside JSON.
enum RequestForms {
  /// The maximum number of parts that are read.
  private static let partLimit = 1000

  /// The fields of a form, if the type says that the body is one.
  static func fields(contentType: String?, _ body: [UInt8]) -> [URLPattern.QueryItem]? {
    guard mediaType(contentType) == "application/x-www-form-urlencoded" else { return nil }
    return URLParts.queryItems(String(decoding: body, as: UTF8.self))
  }

  /// The type without its parameters, in lower case.
  static func mediaType(_ contentType: String?) -> String? {
    contentType?.split(separator: ";").first.map { trimmed($0).lowercased() }
  }

  /// RFC 6265, section 5.4: `name=value` pairs apart by semicolons.
  static func cookies(_ headers: [String]) -> [URLPattern.QueryItem] {
    headers.flatMap { $0.split(separator: ";") }.compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      var value = trimmed(parts[1])
      if value.count > 1, value.hasPrefix("\""), value.hasSuffix("\"") {
        value = String(value.dropFirst().dropLast())
      }
      return URLPattern.QueryItem(name: trimmed(parts[0]), value: value)
    }
  }

  // MARK: - Multipart

  /// The parts of a multipart body (RFC 2046, section 5.1), if the type says that it is one.
  static func parts(contentType: String?, _ body: [UInt8]) -> [MultipartPart]? {
    guard let contentType, mediaType(contentType)?.hasPrefix("multipart/") == true,
      let boundary = parameters(contentType)["boundary"], !boundary.isEmpty
    else {
      return nil
    }
    let marks = marks(of: Array("--\(boundary)".utf8), in: body)
    var parts: [MultipartPart] = []
    for (mark, next) in zip(marks, marks.dropFirst()).prefix(partLimit) where !mark.isLast {
      if let part = part(body[mark.end..<next.start]) { parts.append(part) }
    }
    return parts
  }

  /// The number of parts of a multipart body, those without a name among them.
  static func sections(contentType: String?, _ body: [UInt8]) -> Int {
    guard let contentType, let boundary = parameters(contentType)["boundary"], !boundary.isEmpty
    else { return 0 }
    return marks(of: Array("--\(boundary)".utf8), in: body).count { !$0.isLast }
  }

  private struct Mark {
    /// The offset at which the line break in front of it begins.
    var start: Int
    /// The offset at which its own line ends.
    var end: Int
    var isLast: Bool
  }

  /// The lines that are the boundary.
  private static func marks(of boundary: [UInt8], in body: [UInt8]) -> [Mark] {
    var marks: [Mark] = []
    var index = 0
    while index + boundary.count <= body.count {
      let isLineStart = index == 0 || body[index - 1] == 0x0A
      guard isLineStart, body[index] == 0x2D,
        body[index..<index + boundary.count].elementsEqual(boundary)
      else {
        guard let newline = body[index...].firstIndex(of: 0x0A) else { break }
        index = newline + 1
        continue
      }
      var end = index + boundary.count
      let isLast = body[end...].starts(with: [0x2D, 0x2D])
      while end < body.count, body[end] != 0x0A { end += 1 }
      var start = index
      if start > 0 { start -= 1 }
      if start > 0, body[start - 1] == 0x0D { start -= 1 }
      marks.append(Mark(start: start, end: min(end + 1, body.count), isLast: isLast))
      index = min(end + 1, body.count)
      if isLast { break }
    }
    return marks
  }

  private static func part(_ bytes: ArraySlice<UInt8>) -> MultipartPart? {
    var rest = bytes
    var headers: [String: String] = [:]
    while let newline = rest.firstIndex(of: 0x0A) {
      let line = trimmed(Substring(decoding: rest[..<newline], as: UTF8.self))
      rest = rest[(newline + 1)...]
      if line.isEmpty { break }
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = trimmed(line[line.index(after: colon)...])
    }
    guard let disposition = headers["content-disposition"] else { return nil }
    let parameters = parameters(disposition)
    guard let name = parameters["name"] else { return nil }
    return MultipartPart(
      name: name, filename: parameters["filename"],
      contentType: headers["content-type"] ?? "text/plain", content: Array(rest))
  }

  /// Returns the `; name=value` pairs behind a header's first word; values may be quoted.
  private static func parameters(_ header: String) -> [String: String] {
    var result: [String: String] = [:]
    var rest = header.drop { $0 != ";" }
    while rest.popFirst() != nil {
      let name = trimmed(rest.prefix { $0 != "=" && $0 != ";" }).lowercased()
      rest = rest.drop { $0 != "=" && $0 != ";" }
      guard rest.first == "=" else { continue }
      rest = rest.dropFirst().drop { $0 == " " }
      var value = ""
      if rest.first == "\"" {
        rest.removeFirst()
        while let letter = rest.popFirst(), letter != "\"" {
          // Browsers leave a backslash in a file name as it is, but for one in front of a quote.
          if letter == "\\", rest.first == "\"" || rest.first == "\\" {
            value.append(rest.removeFirst())
          } else {
            value.append(letter)
          }
        }
        rest = rest.drop { $0 != ";" }
      } else {
        let word = rest.prefix { $0 != ";" }
        value = trimmed(word)
        rest = rest[word.endIndex...]
      }
      if result[name] == nil { result[name] = value }
    }
    return result
  }

  /// A text without the white space around it.
  static func trimmed(_ text: some StringProtocol) -> String {
    guard let start = text.firstIndex(where: { !$0.isWhitespace }),
      let end = text.lastIndex(where: { !$0.isWhitespace })
    else {
      return ""
    }
    return String(text[start...end])
  }
}

extension Substring {
  fileprivate init(decoding bytes: ArraySlice<UInt8>, as encoding: UTF8.Type) {
    self = Substring(String(decoding: bytes, as: encoding))
  }
}
