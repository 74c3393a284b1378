@testable import Foundations
import OrderedCollections

/// Documents that the schema leads to: for each key of the language one that has it.
struct SchemaDocuments {
  /// A key, and documents that differ in nothing but it.
  struct KeyCase {
    /// The definition that has the key.
    var definition: String
    /// The key.
    var key: String
    /// As the schema has it.
    var proper: Value
    /// The key misspelled.
    var misspelled: Value
    /// A value of a kind that the key does not take; `nil` if it takes every kind.
    var wrongKind: Value?
  }

  /// What stands in place of a key that is misspelled.
  static let misspelling = "no_such_key"

  private let root: Value
  private let definitions: OrderedDictionary<String, Value>

  /// Reads the schema.
  init(schema: Value) {
    root = schema
    definitions = schema["$defs"]?.members ?? [:]
  }

  /// A case for each key of each map.
  func cases() -> [KeyCase] {
    var routes: OrderedDictionary<String, (Value) -> Value> = ["": { $0 }]
    var queue = [""]
    var cases: [KeyCase] = []
    while !queue.isEmpty {
      let name = queue.removeFirst()
      guard let route = routes[name], let map = definition(name) else { continue }
      for (key, property) in map["properties"]?.members ?? [:] {
        func document(_ value: Value, as written: String? = nil) -> Value {
          route(instance(of: map, with: key, value, as: written ?? key))
        }
        let proper = minimal(property)
        cases.append(
          KeyCase(
            definition: name, key: key, proper: document(proper),
            misspelled: document(
              proper, as: key.hasPrefix("$") ? "$\(Self.misspelling)" : Self.misspelling),
            wrongKind: wrong(property).map { document($0) }))
        for (next, wrap) in places(in: property) where routes[next] == nil {
          routes[next] = { document(wrap($0)) }
          queue.append(next)
        }
      }
    }
    return cases
  }

  /// The maps with keys of the language that have no case.
  func unreached(by cases: [KeyCase]) -> [String] {
    let reached = Set(cases.map(\.definition))
    return definitions.filter {
      $1["additionalProperties"] == .bool(false) && $1["properties"] != nil
    }
    .keys.filter { !reached.contains($0) }
  }

  // MARK: - Walking

  private func definition(_ name: String) -> Value? { name.isEmpty ? root : definitions[name] }

  private func resolved(_ schema: Value) -> Value {
    guard case .string(let reference)? = schema["$ref"] else { return schema }
    return definitions[String(reference.dropFirst("#/$defs/".count))] ?? schema
  }

  /// The maps of the language within a schema, and how one comes there.
  private func places(in schema: Value, depth: Int = 0) -> [(String, (Value) -> Value)] {
    guard depth < 8 else { return [] }
    if case .string(let reference)? = schema["$ref"] {
      let name = String(reference.dropFirst("#/$defs/".count))
      if definitions[name]?["properties"] != nil, name != "plainMap" { return [(name, { $0 })] }
      return definitions[name].map { places(in: $0, depth: depth + 1) } ?? []
    }
    var found: [(String, (Value) -> Value)] = []
    for branch in schema["anyOf"]?.elements ?? [] { found += places(in: branch, depth: depth + 1) }
    for branch in ["then", "else"] {
      if let branch = schema[branch] { found += places(in: branch, depth: depth + 1) }
    }
    if let entry = schema["items"] {
      let count = schema["minItems"]?.integer ?? 1
      found += places(in: entry, depth: depth + 1).map { name, wrap in
        (
          name,
          { .list([wrap($0)] + Array(repeating: minimal(entry), count: max(0, Int(count) - 1))) }
        )
      }
    }
    if let value = schema["additionalProperties"], value.members != nil {
      found += places(in: value, depth: depth + 1).map { name, wrap in
        (name, { .map(["x": wrap($0)]) })
      }
    }
    for (pattern, value) in schema["patternProperties"]?.members ?? [:] where value.members != nil {
      found += places(in: value, depth: depth + 1).map { name, wrap in
        (name, { .map([Self.text(matching: pattern): wrap($0)]) })
      }
    }
    return found
  }

  /// A map with a key and what must stand beside it.
  private func instance(of map: Value, with key: String, _ value: Value, as written: String)
    -> Value
  {
    var members: OrderedDictionary<String, Value> = [:]
    var needed = map["required"]?.elements?.compactMap(\.text) ?? []
    needed += map["dependentRequired"]?[key]?.elements?.compactMap(\.text) ?? []
    let rules = map["allOf"]?.elements ?? []
    for rule in rules {
      guard
        let names = rule["anyOf"]?.elements?.compactMap({ $0["required"]?.elements?.first?.text }),
        !names.contains(key), !names.contains(where: { needed.contains($0) })
      else { continue }
      let allowed = names.first { name in
        !rules.contains { rule in
          rule["if"]?["required"] == .list([.string(key)])
            && !(rule["then"]?["propertyNames"]?["anyOf"]?.elements?.first?["enum"]?.elements ?? [])
              .contains(.string(name))
        }
      }
      if let allowed { needed.append(allowed) }
    }
    for name in needed where name != key {
      members[name] = minimal(map["properties"]?[name] ?? .bool(true))
    }
    members[written] = value
    return .map(members)
  }

  // MARK: - Values

  /// A small value that a schema accepts.
  private func minimal(_ schema: Value, depth: Int = 0) -> Value {
    guard depth < 12 else { return .null }
    func below(_ schema: Value) -> Value { minimal(schema, depth: depth + 1) }
    if let example = schema["examples"]?.elements?.first { return example }
    if schema["$ref"] != nil { return below(resolved(schema)) }
    if let constant = schema["const"] { return constant }
    if let word = schema["enum"]?.elements?.first { return word }
    if let condition = schema["if"], let then = schema["then"], let otherwise = schema["else"] {
      return below(condition["type"] == nil ? then : otherwise)
    }
    if let first = schema["anyOf"]?.elements?.first { return below(first) }
    if case .string(let pattern)? = schema["pattern"] {
      return .string(Self.text(matching: pattern))
    }
    let type = schema["type"]?.text ?? schema["type"]?.elements?.first?.text
    switch type {
    case "integer", "number": return schema["minimum"] ?? .integer(1)
    case "string": return .string("a")
    case "boolean": return .bool(true)
    case "array":
      let count = Int(schema["minItems"]?.integer ?? 0)
      return .list(Array(repeating: below(schema["items"] ?? .bool(true)), count: count))
    case "object":
      if let keys = schema["properties"]?.members {
        let required = schema["required"]?.elements?.compactMap(\.text).first
        let some = schema["allOf"]?.elements?.lazy.compactMap {
          $0["anyOf"]?.elements?.first?["required"]?.elements?.first?.text
        }.first
        let least = schema["minProperties"] == nil ? nil : keys.keys.first
        guard let key = required ?? some ?? least else { return .map([:]) }
        return instance(of: schema, with: key, below(keys[key] ?? .bool(true)), as: key)
      }
      guard schema["minProperties"] != nil else { return .map([:]) }
      if let (pattern, value) = schema["patternProperties"]?.members?.elements.first {
        return .map([Self.text(matching: pattern): below(value)])
      }
      return .map(["x": below(schema["additionalProperties"] ?? .bool(true))])
    default: return .null
    }
  }

  /// The kinds of a value.
  private enum Kind: CaseIterable { case list, map, text }

  /// A value of a kind that a schema does not take; `nil` if it takes all that are tried.
  private func wrong(_ schema: Value) -> Value? {
    let kinds = kinds(of: schema, depth: 0)
    guard let kind = Kind.allCases.first(where: { !kinds.contains($0) }) else { return nil }
    switch kind {
    case .list: return .list([.list([])])
    case .map: return .map([Self.misspelling: .list([])])
    case .text: return .string("no such value")
    }
  }

  /// The kinds that a schema may take; text stands for every scalar.
  private func kinds(of schema: Value, depth: Int) -> Set<Kind> {
    guard depth < 8 else { return Set(Kind.allCases) }
    if schema["$ref"] != nil { return kinds(of: resolved(schema), depth: depth + 1) }
    if schema["const"] != nil || schema["enum"] != nil { return [.text] }
    if let branches = schema["anyOf"]?.elements {
      return branches.reduce(into: []) { $0.formUnion(kinds(of: $1, depth: depth + 1)) }
    }
    if let then = schema["then"], let otherwise = schema["else"] {
      return kinds(of: then, depth: depth + 1).union(kinds(of: otherwise, depth: depth + 1))
    }
    let names = schema["type"]?.text.map { [$0] } ?? schema["type"]?.elements?.compactMap(\.text)
    guard let names else { return Set(Kind.allCases) }
    return Set(names.map { $0 == "array" ? .list : $0 == "object" ? .map : .text })
  }

  private static func text(matching pattern: String) -> String {
    let texts = [
      "/a", "https://a.example/", "GET https://a.example/", "GET", "10KiB", "10KiB/s", "x2", "TERM",
      "a:80", "80x24", "+1s", "1ppm", "2026-12-31", "0", "$.a", "a",
      String(repeating: "0", count: 64), "TYPE65280",
    ]
    return texts.first { text in
      guard let expression = try? Regex(pattern) else { return false }
      return text.firstMatch(of: expression) != nil
    } ?? "no text for \(pattern)"
  }
}

extension Value {
  fileprivate subscript(key: String) -> Value? { members?[key] }

  fileprivate var members: OrderedDictionary<String, Value>? {
    guard case .map(let members) = self else { return nil }
    return members
  }

  fileprivate var elements: [Value]? {
    guard case .list(let elements) = self else { return nil }
    return elements
  }

  fileprivate var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  fileprivate var integer: Int64? {
    guard case .integer(let integer) = self else { return nil }
    return integer
  }
}
