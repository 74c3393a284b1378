internal import Foundations
internal import OrderedCollections
internal import Patterns

/// The condition on the body of a recorded request: all of it but its secrets.
struct RecordedCondition: Hashable {
  /// The members of `request:` that say it, in the language's words.
  private(set) var members: OrderedDictionary<String, Value> = [:]
  /// The reason why the body is not compared, behind "as"; `nil` if it is.
  private(set) var omission: String?

  // Requests whose bodies are not compared are one, whatever the reason.
  static func == (left: RecordedCondition, right: RecordedCondition) -> Bool {
    left.members == right.members
  }

  func hash(into hasher: inout Hasher) { hasher.combine(members) }

  /// Texts beyond this many bytes make no regular expression.
  private static let longestExpression = 4096

  /// Reads the body of an exchange.
  init(on exchange: RecordedExchange, _ redaction: Redaction) {
    if case .socket = exchange.outcome { return }
    let field = exchange.headers.first { $0.name.lowercased() == "content-type" }?.value ?? ""
    let type = RequestForms.mediaType(field) ?? ""
    if type.hasPrefix("application/grpc") {
      // What a client says in turn with the host is expected where it says it.
      if exchange.isPlainCall { members["body"] = Self.bytes(exchange.body) }
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
      if let parts = redaction.conditionsBesideSecrets(of: value) {
        members["json"] = .map(parts)
      } else {
        members[isLong ? "body" : "json"] = isLong ? Self.bytes(body) : .map(["equals": value])
      }
    case .text(let text):
      let parts =
        isForm ? redaction.formBesideSecrets(text) : redaction.partsBetweenSecrets(of: text)
      guard let parts else {
        members["body"] = isLong ? Self.bytes(body) : .map(["equals": .string(text)])
        return
      }
      guard let expression = Self.expression(parts, gap: isForm ? "[^&]*" : "[\\s\\S]*") else {
        return omit("it contains a secret and is long")
      }
      members["body"] = .map(["matches": .string(expression)])
    case .bytes(let bytes):
      guard redaction.partsBetweenSecrets(of: String(decoding: bytes, as: UTF8.self)) == nil else {
        return omit("it contains a secret and is not text")
      }
      members["body"] = Self.bytes(bytes)
    }
  }

  /// A regular expression that finds a text whose gaps may be anything; `nil` if it were too long.
  private static func expression(_ parts: [String], gap: String) -> String? {
    let text = parts.map { escaped($0) }.joined(separator: gap)
    return text.utf8.count <= longestExpression ? "^\(text)$" : nil
  }

  private static func escaped(_ text: String) -> String {
    text.map { "\\.+*?()[]{}|^$/-".contains($0) ? "\\\($0)" : String($0) }.joined()
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
    guard !bareType.hasPrefix("multipart/") else { return nil }
    var members: OrderedDictionary<String, Value> = [:]
    if let filename = part.filename {
      guard redaction.partsBetweenSecrets(of: filename) == nil else { return nil }
      members["filename"] = .string(filename)
    }
    members["content_type"] = .string(part.contentType)
    guard !redaction.hides(part.name) else { return .map(members) }
    let isJSON = bareType.contains("json")
    switch RecordableBody(part.content, mediaType: isJSON ? bareType : "text/plain") {
    case .empty: members["text"] = .string("")
    case .json(let value):
      members["json"] = .map(redaction.conditionsBesideSecrets(of: value) ?? ["equals": value])
    case .text(let text):
      guard let parts = redaction.partsBetweenSecrets(of: text) else {
        members["text"] = .string(text)
        break
      }
      guard let expression = expression(parts, gap: "[\\s\\S]*") else { return nil }
      members["text"] = .map(["matches": .string(expression)])
    case .bytes(let bytes): members["base64"] = .string(Base64.encoded(bytes))
    }
    return .map(members)
  }

  // MARK: - Writing

  /// The members of `request:`, long bytes in files beside the recording.
  func members(_ writer: inout ReplyWriter) -> OrderedDictionary<String, Value> {
    var written = members
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

extension Redaction {
  /// Conditions by path that a value meets whatever its secrets are, and nothing else does; `nil` if it has none.
  func conditionsBesideSecrets(of value: Value) -> OrderedDictionary<String, Value>? {
    var conditions: OrderedDictionary<String, Value> = [:]
    return add(value, at: "$", to: &conditions) ? conditions : nil
  }

  /// Adds the conditions on a value with secrets; false if it has none.
  private func add(
    _ value: Value, at path: String, to conditions: inout OrderedDictionary<String, Value>
  ) -> Bool {
    var inner: OrderedDictionary<String, Value> = [:]
    var hasSecrets = false
    switch value {
    case .map(let members):
      inner[path] = .map(["length": .integer(Int64(members.count))])
      for (key, member) in members {
        let place = path + PathStep.key(key).text
        if hides(key) {
          inner[place] = .map(["exists": .bool(true)])
          hasSecrets = true
        } else if add(member, at: place, to: &inner) {
          hasSecrets = true
        } else {
          inner[place] = member.asCondition
        }
      }
    case .list(let elements):
      inner[path] = .map(["length": .integer(Int64(elements.count))])
      for (index, element) in elements.enumerated() {
        let place = path + PathStep.index(index).text
        if add(element, at: place, to: &inner) {
          hasSecrets = true
        } else {
          inner[place] = element.asCondition
        }
      }
    case .string(let text):
      guard let parts = partsBetweenSecrets(of: text) else { return false }
      let expression = parts.map { part in
        part.map { "\\.+*?()[]{}|^$/-".contains($0) ? "\\\($0)" : String($0) }.joined()
      }.joined(separator: "[\\s\\S]*")
      inner[path] = .map(["matches": .string("^\(expression)$")])
      hasSecrets = true
    case .null, .bool, .integer, .number: return false
    }
    if hasSecrets { conditions.merge(inner) { $1 } }
    return hasSecrets
  }

  /// The parts of a form between its secrets; `nil` if it has none.
  func formBesideSecrets(_ text: String) -> [String]? {
    var parts = [""]
    for (index, field) in text.split(separator: "&", omittingEmptySubsequences: false).enumerated()
    {
      if index > 0 { parts[parts.count - 1] += "&" }
      let name = field.prefix { $0 != "=" }
      if hides(PercentEncoding.decoded(name, plusIsSpace: true)) {
        parts[parts.count - 1] += name + "="
        parts.append("")
      } else {
        parts[parts.count - 1] += field
      }
    }
    return parts.count > 1 ? parts : nil
  }
}

extension Value {
  /// The value as the condition of a path.
  fileprivate var asCondition: Value {
    switch self {
    case .string, .bool, .integer, .number: self
    case .null, .list, .map: .map(["equals": self])
    }
  }
}
