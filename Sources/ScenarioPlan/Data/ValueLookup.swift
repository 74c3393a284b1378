package import Foundations
internal import OrderedCollections

/// Walks paths into values, and says where a path ends too early.
package enum ValueLookup {
  /// The reason why a path leads nowhere.
  package struct Missing: Error {
    /// The place where the path ends: lower case, no full stop.
    package var message: String
    /// The names that exist there; `nil` where those are plain.
    package var help: String?
  }

  /// Returns the value at a path; `name` is the name of the whole value in messages.
  package static func find(
    _ steps: [PathStep], in value: Value, named name: String
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
