internal import OrderedCollections
internal import ScenarioModel

/// Walks paths into values, and says where a path ends too early.
enum ValueLookup {
  /// Why a path leads nowhere.
  struct Missing: Error {
    var message: String
    var help: String?
  }

  /// What stands at a path; `name` is what the value itself is called in messages.
  static func find(
    _ steps: some Collection<PathStep>, in value: Value, named name: String
  ) throws(Missing) -> Value {
    var current = value
    var reached = name
    for step in steps {
      switch (step, current) {
      case (.key(let key), .map(let members)):
        guard let member = members[exact: key] else {
          guard let twin = members.index(forKey: key).map({ members.keys[$0] }) else {
            throw Missing(
              message: "\"\(reached)\" has no key \"\(key)\"",
              help: Suggestion.help(for: key, in: members.keys, label: "its keys"))
          }
          throw Missing(
            message: "\"\(reached)\" has no key \"\(key.spelledOut)\"",
            help: "it has \"\(twin.spelledOut)\", which looks the same")
        }
        current = member
      case (.index(let index), .list(let elements)):
        guard elements.indices.contains(index) else {
          throw Missing(
            message: "\"\(reached)\" has no element \(index)",
            help: elements.isEmpty
              ? "the list is empty" : "elements are numbered from 0 to \(elements.count - 1)")
        }
        current = elements[index]
      default:
        throw Missing(
          message: "\"\(reached)\" is \(current.kindWithArticle), which has no \(step.described)",
          help: nil)
      }
      reached += step.text
    }
    return current
  }
}

extension PathStep {
  fileprivate var described: String {
    switch self {
    case .key(let key): "key \"\(key)\""
    case .index(let index): "element \(index)"
    }
  }
}

extension Value {
  /// What kind of value it is, in the words of an author.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .integer, .number: "number"
    case .string: "text"
    case .list: "list"
    case .map: "map"
    }
  }

  var kindWithArticle: String {
    switch self {
    case .null, .string: kind
    case .bool, .integer, .number, .list, .map: "a \(kind)"
    }
  }

  /// How the value reads inside text; `nil` for null, lists and maps, which have no such form.
  var textForm: String? {
    switch self {
    case .string(let string): string
    case .bool, .integer, .number: jsonText()
    case .null, .list, .map: nil
    }
  }

  /// A short form for messages: JSON on one line, cut in the middle of a long one.
  func excerpt(limit: Int = 80) -> String {
    jsonText().excerpt(limit: limit)
  }
}

extension String {
  /// The text, or its beginning and an ellipsis, by which those who redact know that it was cut.
  ///
  /// - Parameter limit: how many scalars are kept at most.
  package func excerpt(limit: Int) -> String {
    let scalars = unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else {
      return self
    }
    return String(scalars[..<end]) + "…"
  }
}
