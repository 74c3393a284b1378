package import Foundations

/// The names below `request`.
package enum RequestNames {
  /// The names, all of them.
  package static let all = [
    "body", "cookies", "count", "form", "headers", "json", "message", "messages", "method",
    "operation", "path", "query", "url", "variables",
  ]

  /// The parts whose members are texts by name.
  package static let maps: Set<String> = ["cookies", "form", "headers", "path", "query"]

  /// The steps with header names in lower case; a name that no request has is an error.
  package static func normalize(
    _ steps: [PathStep], captures: [String], at range: SourceRange
  ) throws(Diagnostic) -> [PathStep] {
    guard case .key(let name)? = steps.first, all.contains(name) else {
      var word = ""
      if case .key(let key)? = steps.first { word = key }
      throw Diagnostic(
        word.isEmpty ? "\"request\" needs a name after it" : "\"request\" has no \"\(word)\"",
        code: .unknownMember, at: range,
        help: word == "xml"
          ? "write xpath(request.body, '//name') for a value of a body in XML"
          : Suggestion.help(for: word, in: all, label: "names of a request"))
    }
    guard maps.contains(name) else { return steps }
    guard steps.count == 2, case .key(let member) = steps[1] else {
      throw Diagnostic(
        "\"request.\(name)\" needs one name behind it", code: .unknownMember, at: range,
        help: "write request.\(name).NAME")
    }
    if name == "path", !captures.contains(member) {
      throw Diagnostic(
        "the entry's URL has no template \"{\(member)}\"", code: .unknownMember, at: range,
        help: Suggestion.help(for: member, in: captures, label: "its templates"))
    }
    return name == "headers" ? [steps[0], .key(member.lowercased())] : steps
  }
}
