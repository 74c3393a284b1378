internal import Foundations
internal import OrderedCollections

/// Resolves the references of an OpenAPI description (RFC 6901), within the document.
struct OpenAPIReferences: Sendable {
  /// The maximum number of references that may follow each other.
  private static let maximumLength = 40
  /// Members whose values are data, in which "$ref" means nothing.
  private static let dataKeys: Set<String> = ["example", "examples", "enum", "const", "value"]

  private let root: Value

  /// Creates a resolver for the document.
  init(root: Value) {
    self.root = root
  }

  /// Resolves the reference that a value is, or returns the value.
  func resolved(_ value: Value) -> Value {
    var value = value
    for _ in 0..<Self.maximumLength {
      guard case .string(let reference)? = value["$ref"] else { return value }
      value = target(of: reference) ?? .map([:])
    }
    return .map([:])
  }

  /// Resolves a reference; `nil` if it leads nowhere.
  func target(of reference: String) -> Value? {
    guard reference.hasPrefix("#/") else { return nil }
    var found = root
    for step in reference.dropFirst(2).split(separator: "/", omittingEmptySubsequences: false) {
      let name = JSONPointer.unescaped(PercentEncoding.decoded(step))
      if case .list(let values) = found, let index = Int(name), values.indices.contains(index) {
        found = values[index]
      } else if let next = found[name] {
        found = next
      } else {
        return nil
      }
    }
    return found
  }

  /// Checks every reference: one that leads nowhere would be compared with nothing, silently.
  func check() throws(DeclarationError) {
    try check(root, at: [])
  }

  private func check(_ value: Value, at place: [String]) throws(DeclarationError) {
    switch value {
    case .list(let values):
      for (index, value) in values.enumerated() { try check(value, at: place + ["\(index)"]) }
    case .map(let members):
      if case .string(let reference)? = members["$ref"] {
        try check(reference, at: place + ["$ref"])
      }
      for (key, value) in members where !Self.dataKeys.contains(key) && !key.hasPrefix("x-") {
        if key == "default", place.last != "responses" { continue }
        try check(value, at: place + [key])
      }
    default: break
    }
  }

  private func check(_ reference: String, at place: [String]) throws(DeclarationError) {
    guard reference.hasPrefix("#") else {
      throw DeclarationError(
        "\"\(reference)\" refers to another file",
        help: "bundle the description into one file first", at: .member(place))
    }
    guard !reference.hasPrefix("#/") || target(of: reference) != nil else {
      throw DeclarationError(
        "there is nothing at \"\(reference)\"", help: "define it, or correct the reference",
        at: .member(place))
    }
  }
}
