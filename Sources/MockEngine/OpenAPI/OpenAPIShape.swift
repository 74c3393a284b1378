internal import Foundations
internal import OrderedCollections
internal import Patterns

/// The shape of values that a schema wants, as far as it decides how texts are read.
struct OpenAPIShape {
  /// The maximum number of references and parts that follow each other.
  private static let depthLimit = 20

  /// The types of JSON Schema; empty if all are allowed.
  private(set) var types: Set<String> = []
  /// The members of a map.
  private(set) var members: OrderedDictionary<String, JSONSubschema> = [:]
  /// The elements of a list.
  private(set) var element: JSONSubschema?
  /// The members that must be there.
  private(set) var required: [String] = []
  private let schema: JSONSchema

  /// Reads the shape of a definition.
  init(_ definition: String, of schema: JSONSchema) {
    self.init(.rules([.reference(definition)]), of: schema)
  }

  /// The shape of anything.
  static func anything(of schema: JSONSchema) -> OpenAPIShape {
    OpenAPIShape(.constant(true), of: schema)
  }

  private init(_ part: JSONSubschema, of schema: JSONSchema) {
    self.schema = schema
    read(part, 0)
  }

  /// The shape of a member; `nil` if nothing is said of it.
  func member(_ name: String) -> OpenAPIShape? {
    members[name].map { OpenAPIShape($0, of: schema) }
  }

  /// The shape of the elements; `nil` if nothing is said of them.
  var elements: OpenAPIShape? { element.map { OpenAPIShape($0, of: schema) } }

  private mutating func read(_ part: JSONSubschema, _ depth: Int) {
    guard depth < Self.depthLimit, case .rules(let rules) = part else { return }
    for rule in rules {
      switch rule {
      case .reference(let name):
        if let target = schema.root.definitions[name] { read(target, depth + 1) }
      case .types(let names): types.formUnion(names)
      case .choices(let values) where types.isEmpty:
        types.formUnion(values.map(\.schemaType))
      case .allOf(let parts), .anyOf(let parts), .oneOf(let parts):
        for part in parts { read(part, depth + 1) }
      case .members(let rules):
        for (name, member) in rules.named.sorted(by: { $0.key < $1.key }) { members[name] = member }
      case .items(_, let rest): element = element ?? rest
      case .required(let names): required += names
      default: break
      }
    }
  }

  // MARK: - Texts

  /// Reads a text as the schema wants it; one that is nothing of the kind stays text, for the schema to refuse.
  func value(of text: String) -> Value {
    if types.contains("integer") || types.contains("number") {
      if let integer = Int64(text), Self.isNumber(text) { return .integer(integer) }
      if let number = Double(text), number.isFinite, Self.isNumber(text) { return .number(number) }
    }
    if types.contains("boolean"), text == "true" || text == "false" { return .bool(text == "true") }
    if types.contains("null"), text == "null" || text.isEmpty && !types.contains("string") {
      return .null
    }
    return .string(text)
  }

  /// Reads a text as all that the schema may mean, the likeliest first.
  func values(of text: String) -> [Value] {
    let first = value(of: text)
    if case .string = first { return [first] }
    return types.contains("string") ? [first, .string(text)] : [first]
  }

  /// Returns whether Swift's readers see what JSON's see: no `0x1`, `+1` or `inf`.
  private static func isNumber(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) || "-+.eE".utf8.contains($0) }
      && !text.hasPrefix("+")
  }

  /// Reads texts as the elements of a list.
  func list(of texts: [String]) -> Value {
    let elements = elements
    return .list(texts.map { elements?.value(of: $0) ?? .string($0) })
  }

  /// Reads names and texts as the members of a map.
  func map(of pairs: [(name: String, text: String)]) -> Value {
    var result: OrderedDictionary<String, Value> = [:]
    for (name, text) in pairs { result[name] = member(name)?.value(of: text) ?? .string(text) }
    return .map(result)
  }

  /// The keys in brackets, as in `[a][b]`.
  static func keys(of text: some StringProtocol) -> [String] {
    guard text.hasPrefix("["), text.hasSuffix("]") else { return [] }
    return String(text.dropFirst().dropLast()).split(
      separator: "][", omittingEmptySubsequences: false
    ).map(String.init)
  }

  /// Reads fields whose names lead into a value, as `a[b][0]=1` does.
  func value(ofNested fields: [(keys: [String], text: String)], _ depth: Int = 0) -> Value {
    let inner = fields.filter { !$0.keys.isEmpty }
    guard !inner.isEmpty, depth < Self.depthLimit else {
      let texts = fields.map(\.text)
      return texts.count == 1 && !types.contains("array")
        ? value(of: texts[0]) : list(of: texts)
    }
    var groups: OrderedDictionary<String, [(keys: [String], text: String)]> = [:]
    for (index, field) in inner.enumerated() {
      let name = field.keys[0].isEmpty ? "\(index)" : field.keys[0]
      groups[name, default: []].append((Array(field.keys.dropFirst()), field.text))
    }
    let isList = !types.contains("object") && groups.keys.allSatisfy { Int($0) != nil }
    if isList {
      let shape = elements ?? Self.anything(of: schema)
      return .list(groups.values.map { shape.value(ofNested: $0, depth + 1) })
    }
    var result: OrderedDictionary<String, Value> = [:]
    for (name, fields) in groups {
      let shape = member(name) ?? Self.anything(of: schema)
      result[name] = shape.value(ofNested: fields, depth + 1)
    }
    return .map(result)
  }

  /// Reads the fields of a form's body; members that are maps are JSON, unless their names have brackets.
  ///
  /// - Parameter known: the members that are read already.
  func map(
    ofForm fields: [(name: String, text: String)], known: OrderedDictionary<String, Value>
  ) -> Value {
    var plain: [(name: String, text: String)] = []
    var nested: OrderedDictionary<String, [(keys: [String], text: String)]> = [:]
    for field in fields {
      let base = String(field.name.prefix { $0 != "[" })
      let keys = Self.keys(of: field.name.dropFirst(base.count))
      if known[base] != nil, !keys.isEmpty || field.name == base { continue }
      if keys.isEmpty || members[field.name] != nil || members[base] == nil {
        plain.append(field)
      } else {
        nested[base, default: []].append((keys, field.text))
      }
    }
    guard case .map(var result) = map(ofFields: plain) else { return .map(known) }
    for (name, value) in result {
      guard let shape = member(name) else { continue }
      if case .list(let elements) = value, let shape = shape.elements {
        result[name] = .list(elements.map { shape.json(of: $0) })
      } else {
        result[name] = shape.json(of: value)
      }
    }
    for (name, fields) in nested {
      result[name] = (member(name) ?? Self.anything(of: schema)).value(ofNested: fields)
    }
    return .map(result.merging(known) { _, known in known })
  }

  /// The map that a text holds as JSON, where the schema wants one; the value as it is otherwise.
  private func json(of value: Value) -> Value {
    guard types.contains("object"), case .string(let text) = value,
      let parsed = try? JSONText.parse(text), case .map = parsed
    else { return value }
    return parsed
  }

  /// Reads the fields of a form; a name that stands several times is a list.
  func map(ofFields fields: [(name: String, text: String)]) -> Value {
    var texts: OrderedDictionary<String, [String]> = [:]
    for (name, text) in fields { texts[name, default: []].append(text) }
    var result: OrderedDictionary<String, Value> = [:]
    for (name, all) in texts {
      let shape = member(name)
      let isList = shape?.types.contains("array") ?? false
      if isList || all.count > 1 {
        result[name] = shape?.list(of: all) ?? .list(all.map { .string($0) })
      } else {
        result[name] = shape?.value(of: all[0]) ?? .string(all[0])
      }
    }
    return .map(result)
  }
}

extension Value {
  fileprivate var schemaType: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .string: "string"
    case .list: "array"
    case .map: "object"
    }
  }
}
