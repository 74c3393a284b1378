internal import Foundations
internal import OrderedCollections
internal import Patterns

/// A secret beside which no condition can be written.
struct InexpressibleSecret: Error {
  /// The reason, after "as".
  let reason: String
}

extension Redaction {
  /// Texts beyond this many bytes make no regular expression.
  private static let longestExpression = 4096
  /// The expression that any secret matches.
  static let gap = "[\\s\\S]*"

  /// A regular expression that a text matches whatever is in the gaps between its parts.
  static func expression(
    _ parts: [String], gap: String
  ) throws(InexpressibleSecret) -> String {
    let text = parts.map { escaped($0) }.joined(separator: gap)
    guard text.utf8.count <= longestExpression else {
      throw InexpressibleSecret(reason: "it contains a secret and is long")
    }
    return "^\(text)$"
  }

  /// The condition that a text meets whatever is in the gaps between its parts; of a text that is too long for an
  /// expression, on its beginning and its end.
  static func condition(_ parts: [String]) -> OrderedDictionary<String, Value> {
    if let expression = try? expression(parts, gap: gap) { return ["matches": .string(expression)] }
    var members: OrderedDictionary<String, Value> = [:]
    if let first = parts.first, !first.isEmpty { members["starts_with"] = .string(first) }
    if let last = parts.last, !last.isEmpty { members["ends_with"] = .string(last) }
    return members.isEmpty ? ["exists": .bool(true)] : members
  }

  /// Escapes by scalars: a letter may be a metacharacter with marks that combine with it, which are refused as they are.
  private static func escaped(_ text: String) -> String {
    var expression = ""
    var isBehindEscape = false
    for scalar in text.unicodeScalars {
      let isSpecial = "\\.+*?()[]{}|^$/-".unicodeScalars.contains(scalar)
      if isSpecial {
        expression += "\\\(scalar)"
      } else if isBehindEscape, !scalar.isASCII {
        expression += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        expression.unicodeScalars.append(scalar)
      }
      isBehindEscape = isSpecial || isBehindEscape && !scalar.isASCII
    }
    return expression
  }

  /// Conditions by path that a value meets whatever its secrets are, and nothing else does; `nil` if it has none.
  func conditionsBesideSecrets(
    of value: Value
  ) throws(InexpressibleSecret) -> OrderedDictionary<String, Value>? {
    var conditions: OrderedDictionary<String, Value> = [:]
    return try add(value, at: "$", to: &conditions) ? conditions : nil
  }

  /// Adds the conditions on a value with secrets; false if it has none.
  private func add(
    _ value: Value, at path: String, to conditions: inout OrderedDictionary<String, Value>
  ) throws(InexpressibleSecret) -> Bool {
    var inner: OrderedDictionary<String, Value> = [:]
    var hasSecrets = false
    switch value {
    case .map(let members):
      inner[path] = .map(["length": .integer(Int64(members.count))])
      for (key, member) in members {
        guard !holdsSecret(key) else {
          throw InexpressibleSecret(reason: "a key in it holds a secret")
        }
        let place = path + PathStep.key(key).text
        if hides(key) {
          inner[place] = .map(["exists": .bool(true)])
          hasSecrets = true
        } else if try add(member, at: place, to: &inner) {
          hasSecrets = true
        } else {
          inner[place] = member.asCondition
        }
      }
    case .list(let elements):
      inner[path] = .map(["length": .integer(Int64(elements.count))])
      for (index, element) in elements.enumerated() {
        let place = path + PathStep.index(index).text
        if try add(element, at: place, to: &inner) {
          hasSecrets = true
        } else {
          inner[place] = element.asCondition
        }
      }
    case .string(let text):
      guard let parts = partsBetweenSecrets(of: text) else { return false }
      inner[path] = .map(["matches": .string(try Self.expression(parts, gap: Self.gap))])
      hasSecrets = true
    case .integer, .number:
      guard holdsSecret(value.jsonText()) else { return false }
      inner[path] = .map(["exists": .bool(true)])
      hasSecrets = true
    case .null, .bool: return false
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
      } else if let between = partsBetweenSecrets(of: String(field)) {
        parts[parts.count - 1] += between[0]
        parts += between.dropFirst()
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
