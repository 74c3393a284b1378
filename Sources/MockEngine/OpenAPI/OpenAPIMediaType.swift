internal import GraphQL
package import ScenarioPlan

/// Media types as documents, requests and replies name them.
package enum OpenAPIMediaType {
  /// Returns a type without its parameters, in lower case.
  package static func name(of text: String) -> String {
    RequestForms.mediaType(text) ?? text.lowercased()
  }

  /// Returns whether a type is written as JSON.
  package static func isJSON(_ type: String) -> Bool {
    type == "application/json" || type == "text/json" || type.hasSuffix("+json")
  }

  /// Returns whether what is written as a type has at least one byte.
  static func isNeverEmpty(_ type: String) -> Bool {
    isJSON(type) || type == "application/xml" || type == "text/xml" || type.hasSuffix("+xml")
  }

  /// Returns whether a type is one of a range such as `application/*`.
  static func matches(_ type: String, _ range: String) -> Bool {
    range == "*/*" || range == "*" || range == type
      || range.hasSuffix("/*") && type.hasPrefix(range.dropLast())
  }

  /// The content for a type, the most exact range first.
  package static func content(
    for type: String, among contents: [PlannedOpenAPI.Content]
  ) -> PlannedOpenAPI.Content? {
    contents.first { $0.type == type }
      ?? contents.first { $0.type != "*/*" && matches(type, $0.type) }
      ?? contents.first { matches(type, $0.type) }
  }

  /// The contents in the order in which a client wants them: by the weights of its `accept`, then JSON first, then in
  /// the order of the document.
  ///
  /// What it does not accept comes last: a reply is better than none.
  static func preferred(
    _ contents: [PlannedOpenAPI.Content], by accept: String?
  ) -> [PlannedOpenAPI.Content] {
    let wishes = HeaderValue.list(accept ?? "*/*")
    let weighed = contents.enumerated().map { index, content in
      let weight =
        wishes.filter { matches(content.type, $0.name) || matches($0.name, content.type) }
        .max { precision(of: $0.name) < precision(of: $1.name) }?.weight ?? 0
      return (content, weight, isJSON(content.type) ? 0 : 1, index)
    }
    return weighed.sorted { left, right in
      left.1 != right.1 ? left.1 > right.1 : (left.2, left.3) < (right.2, right.3)
    }.map(\.0)
  }

  private static func precision(of range: String) -> Int {
    range == "*/*" ? 0 : range.hasSuffix("/*") ? 1 : 2
  }

  /// The type that a reply names for a range.
  static func concrete(_ range: String) -> String {
    guard range.contains("*") else { return range }
    return range == "text/*" ? "text/plain" : "application/json"
  }
}
