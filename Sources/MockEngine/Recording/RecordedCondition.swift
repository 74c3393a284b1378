internal import Foundations
internal import OrderedCollections
internal import Patterns

/// The condition on the body of a recorded request: all of it but its secrets.
struct RecordedCondition: Hashable {
  /// The members of `request:` that say it, in the language's words.
  private(set) var members: OrderedDictionary<String, Value> = [:]
  /// The reason why the body is not compared, behind "as"; `nil` if it is.
  private(set) var omission: String?
  /// True if the body is JSON that has to be in a file beside the recording.
  private var isLongJSON = false

  // Requests whose bodies are not compared are one, whatever the reason.
  static func == (left: RecordedCondition, right: RecordedCondition) -> Bool {
    left.members == right.members
  }

  func hash(into hasher: inout Hasher) { hasher.combine(members) }

  /// Reads the body of an exchange.
  init(on exchange: RecordedExchange, _ redaction: Redaction) {
    if case .socket = exchange.outcome { return }
    let field = exchange.headers.first { $0.name.lowercased() == "content-type" }?.value ?? ""
    let type = RequestForms.mediaType(field) ?? ""
    if type.hasPrefix("application/grpc") {
      // What a client says in turn with the host is expected where it says it.
      guard exchange.isPlainCall else { return }
      addBytes(exchange.body, redaction)
      return
    }
    guard !exchange.body.isEmpty else {
      if !Self.bodilessMethods.contains(exchange.method) {
        members["body"] = .map(["empty": .bool(true)])
      }
      return
    }
    if exchange.body.count > Recording.largestRequest {
      omit("it has \(exchange.body.count) bytes")
    } else if type.hasPrefix("multipart/") {
      addParts(of: exchange.body, contentType: field, redaction)
    } else {
      addWhole(exchange.body, type, redaction)
    }
  }

  /// Methods whose requests have no body as a rule, so that none is worth no words.
  private static let bodilessMethods: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE", "CONNECT"]

  private mutating func omit(_ reason: String) {
    omission = reason
    members["body"] = .map(["empty": .bool(false)])
  }

  private mutating func addBytes(_ bytes: [UInt8], _ redaction: Redaction) {
    guard !redaction.holdsSecret(bytes) else { return omit("it contains a secret and is not text") }
    members["body"] = Self.bytes(bytes)
  }

  private static func bytes(_ bytes: [UInt8]) -> Value {
    .map(["base64": .string(Base64.encoded(bytes))])
  }

  // MARK: - Whole bodies

  private mutating func addWhole(_ body: [UInt8], _ type: String, _ redaction: Redaction) {
    let isForm = type == "application/x-www-form-urlencoded"
    let content = RecordableBody(body, mediaType: type.isEmpty || isForm ? nil : type)
    let isLong = body.count > Recording.largestCondition
    switch content {
    case .empty: break
    case .json(let value):
      do {
        if let parts = try redaction.conditionsBesideSecrets(of: value) {
          members["json"] = .map(parts)
        } else {
          members["json"] = .map(["equals": value])
          isLongJSON = isLong
        }
      } catch {
        omit(error.reason)
      }
    case .text(let text):
      let parts =
        isForm ? redaction.formBesideSecrets(text) : redaction.partsBetweenSecrets(of: text)
      guard let parts else {
        members["body"] = isLong ? Self.bytes(body) : .map(Self.exact(text))
        return
      }
      do {
        let gap = isForm ? "[^&]*" : Redaction.gap
        members["body"] = .map(["matches": .string(try Redaction.expression(parts, gap: gap))])
      } catch {
        omit(error.reason)
      }
    case .bytes(let bytes): addBytes(bytes, redaction)
    }
  }

  /// The condition that a text is this one: `equals` alone would leave one final newline aside.
  private static func exact(_ text: String) -> OrderedDictionary<String, Value> {
    guard text.utf8.last == UInt8(ascii: "\n") else { return text.asExactCondition }
    return ["base64": .string(Base64.encoded(Array(text.utf8)))]
  }

  // MARK: - Multipart

  private mutating func addParts(
    of body: [UInt8], contentType: String, _ redaction: Redaction
  ) {
    let sections = RequestForms.sections(contentType: contentType, body)
    let parts = RequestForms.parts(contentType: contentType, body) ?? []
    guard !parts.isEmpty, parts.count == sections else { return omit("its parts have no names") }
    guard Set(parts.map(\.name)).count == parts.count else {
      return omit("several of its parts have the same name")
    }
    var conditions: OrderedDictionary<String, Value> = [:]
    for part in parts {
      guard let condition = Self.condition(on: part, redaction) else {
        return omit("its part \"\(part.name)\" cannot be written as a condition")
      }
      conditions[part.name] = condition
    }
    members["parts"] = .map(conditions)
  }

  private static func condition(on part: MultipartPart, _ redaction: Redaction) -> Value? {
    let bareType = RequestForms.mediaType(part.contentType) ?? ""
    // The boundary within is another one each time.
    guard !bareType.hasPrefix("multipart/"), !redaction.holdsSecret(part.name) else { return nil }
    var members: OrderedDictionary<String, Value> = [:]
    if let filename = part.filename {
      guard !redaction.holdsSecret(filename) else { return nil }
      members["filename"] = .string(filename)
    }
    members["content_type"] = .string(part.contentType)
    guard !redaction.hides(part.name) else { return .map(members) }
    let isJSON = bareType.contains("json")
    switch RecordableBody(part.content, mediaType: isJSON ? bareType : "text/plain") {
    case .empty: members["text"] = .map(["empty": .bool(true)])
    case .json(let value):
      do {
        members["json"] = .map(
          try redaction.conditionsBesideSecrets(of: value) ?? ["equals": value])
      } catch {
        return nil
      }
    case .text(let text):
      guard let parts = redaction.partsBetweenSecrets(of: text) else {
        members.merge(exactPart(text)) { $1 }
        break
      }
      guard let expression = try? Redaction.expression(parts, gap: Redaction.gap) else {
        return nil
      }
      members["text"] = .map(["matches": .string(expression)])
    case .bytes(let bytes):
      guard !redaction.holdsSecret(bytes) else { return nil }
      members["base64"] = .string(Base64.encoded(bytes))
    }
    return .map(members)
  }

  private static func exactPart(_ text: String) -> OrderedDictionary<String, Value> {
    let condition = exact(text)
    return condition["base64"] == nil ? ["text": .map(condition)] : condition
  }

  // MARK: - Writing

  /// The members of `request:`, long bytes in files beside the recording.
  func members(_ writer: inout ReplyWriter) -> OrderedDictionary<String, Value> {
    var written = members
    if isLongJSON, case .map(let json)? = written["json"], let value = json["equals"] {
      written["json"] = .map(["equals": writer.placed(value)])
    }
    if case .map(let body)? = written["body"] { written["body"] = .map(writer.placed(body)) }
    if case .map(let parts)? = written["parts"] {
      written["parts"] = .map(
        parts.mapValues { part in
          guard case .map(let members) = part else { return part }
          return .map(writer.placed(members))
        })
    }
    return written
  }
}

extension String {
  /// The condition that a text is this one, to its end: `equals` alone would leave one final newline aside.
  var asExactCondition: OrderedDictionary<String, Value> {
    func ending(_ end: String) -> Value { .map(["ends_with": .string(end)]) }
    if utf8.suffix(2).elementsEqual("\r\n".utf8) {
      return ["equals": .string(self), "ends_with": .string("\r\n")]
    }
    if utf8.last == UInt8(ascii: "\n") {
      return ["equals": .string(self), "ends_with": .string("\n"), "not": ending("\r\n")]
    }
    return ["equals": .string(self), "not": ending("\n")]
  }
}
