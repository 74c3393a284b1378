import FoundationEssentials

/// The part of JSON Schema that the project's own schemas are written in.
struct JSONSchemaCheck {
  private let root: JSONNode

  init(_ text: String) throws {
    root = try JSONNode(text)
  }

  /// What does not conform; empty if everything does.
  func problems(in text: String) throws -> [String] {
    check(try JSONNode(text), against: root, at: "$")
  }

  /// The texts of a list within the schema.
  func names(at path: [String]) -> [String] {
    let node = path.reduce(root as JSONNode?) { $0?[$1] }
    return node?.elements?.compactMap(\.text) ?? []
  }

  private func check(_ value: JSONNode, against schema: JSONNode, at path: String) -> [String] {
    var problems: [String] = []
    if let name = schema["$ref"]?.text?.split(separator: "/").last {
      guard let target = root["$defs"]?[String(name)] else { return ["\(path): no \(name)"] }
      problems += check(value, against: target, at: path)
    }
    if let type = schema["type"]?.text, !value.isOf(type: type) {
      problems.append("\(path): is no \(type)")
    }
    if let allowed = schema["enum"]?.elements, !allowed.contains(value) {
      problems.append("\(path): is none of the allowed values")
    }
    if let constant = schema["const"], constant != value { problems.append("\(path): differs") }
    if let minimum = schema["minimum"]?.number, let number = value.number, number < minimum {
      problems.append("\(path): is below \(minimum)")
    }
    for part in schema["allOf"]?.elements ?? [] {
      guard let condition = part["if"], let consequence = part["then"] else { continue }
      guard check(value, against: condition, at: path).isEmpty else { continue }
      problems += check(value, against: consequence, at: path)
    }
    if let item = schema["items"] {
      for element in value.elements ?? [] { problems += check(element, against: item, at: path) }
    }
    return problems + checkMembers(value, against: schema, at: path)
  }

  private func checkMembers(
    _ value: JSONNode, against schema: JSONNode, at path: String
  ) -> [String] {
    guard let members = value.members else { return [] }
    var problems: [String] = []
    for name in schema["required"]?.elements?.compactMap(\.text) ?? [] where members[name] == nil {
      problems.append("\(path): \(name) is missing")
    }
    for (name, member) in members {
      if let known = schema["properties"]?[name] {
        problems += check(member, against: known, at: "\(path).\(name)")
      } else if schema["additionalProperties"] == .bool(false) {
        problems.append("\(path): \(name) is unknown")
      }
    }
    return problems
  }
}

/// A JSON value.
enum JSONNode: Hashable, Decodable {
  case null
  case bool(Bool)
  case integer(Int64)
  case string(String)
  case list([JSONNode])
  case map([String: JSONNode])

  init(_ text: String) throws {
    self = try JSONDecoder().decode(JSONNode.self, from: Data(text.utf8))
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONNode].self) {
      self = .list(value)
    } else {
      self = .map(try container.decode([String: JSONNode].self))
    }
  }

  subscript(key: String) -> JSONNode? { members?[key] }

  var members: [String: JSONNode]? {
    if case .map(let members) = self { members } else { nil }
  }

  var elements: [JSONNode]? {
    if case .list(let elements) = self { elements } else { nil }
  }

  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  var number: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  func isOf(type: String) -> Bool {
    switch self {
    case .null: type == "null"
    case .bool: type == "boolean"
    case .integer: type == "integer"
    case .string: type == "string"
    case .list: type == "array"
    case .map: type == "object"
    }
  }
}
