internal import Foundations
internal import Glibc
internal import GraphQL
internal import Patterns
internal import Synchronization

/// A request's body in the forms that bodies have, each read once, when something first asks for it: most are asked for
/// in none, and may be large.
final class BodyReading: Sendable {
  /// The body as JSON, or the error for which it is none.
  struct JSON: Sendable {
    var value: Value?
    var error: JSONParseError?
  }

  private struct Read {
    var json: JSON?
    var form: [URLPattern.QueryItem]??
    var parts: [MultipartPart]??
    var graphQL: GraphQLPayload??
  }

  /// The longest body that is read as JSON to find out whether it is one of GraphQL, whatever words it has.
  private static let smallLength = 4_096
  /// The keys of which a request of GraphQL has at least one.
  private static let graphQLKeys = [
    "query", "documentId", "doc_id", "variables", "operationName", "extensions",
  ].map { "\($0)\"" }

  private let body: [UInt8]
  private let isWhole: Bool
  private let method: String
  private let target: RequestTarget
  private let contentType: String?
  private let read = Mutex(Read())

  init(
    _ body: [UInt8], isWhole: Bool, method: String, target: RequestTarget, contentType: String?
  ) {
    self.body = body
    self.isWhole = isWhole
    self.method = method
    self.target = target
    self.contentType = contentType
  }

  var json: JSON {
    read.withLock { read in
      let json = read.json ?? makeJSON()
      read.json = json
      return json
    }
  }

  var form: [URLPattern.QueryItem]? {
    read.withLock { read in
      if let form = read.form { return form }
      let form = RequestForms.fields(contentType: contentType, body)
      read.form = .some(form)
      return form
    }
  }

  var parts: [MultipartPart]? {
    read.withLock { read in
      if let parts = read.parts { return parts }
      let parts = RequestForms.parts(contentType: contentType, body)
      read.parts = .some(parts)
      return parts
    }
  }

  var graphQL: GraphQLPayload? {
    if let known = read.withLock({ $0.graphQL }) { return known }
    let payload = GraphQLPayload(
      method: method, contentType: contentType, query: target.query.map { ($0.name, $0.value) },
      body: body, json: method == "POST" && mayBeGraphQL ? json.value : nil)
    read.withLock { $0.graphQL = .some(payload) }
    return payload
  }

  private func makeJSON() -> JSON {
    guard !body.isEmpty, isWhole else { return JSON() }
    do throws(JSONParseError) {
      return JSON(value: try JSONText.parse(utf8: body))
    } catch {
      return JSON(error: error)
    }
  }

  /// False only of a body that is neither a map nor a list, or has none of the keys of GraphQL, in whatever way they are
  /// written.
  private var mayBeGraphQL: Bool {
    guard body.count > Self.smallLength else { return true }
    let blanks = Array(" \t\r\n".utf8)
    guard let first = body.first(where: { !blanks.contains($0) }),
      [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(first)
    else { return false }
    // A key may be written by the numbers of its characters.
    return has(UInt8(ascii: "\\"), before: ["u"])
      || has(UInt8(ascii: "\""), before: Self.graphQLKeys)
  }

  /// Returns whether one of some texts stands behind a byte.
  private func has(_ byte: UInt8, before texts: [String]) -> Bool {
    body.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      var index = 0
      while let found = memchr(start + index, Int32(byte), bytes.count - index) {
        index = UnsafeRawPointer(found) - start + 1
        let rest = bytes[index...]
        if texts.contains(where: { rest.starts(with: $0.utf8) }) { return true }
      }
      return false
    }
  }
}
