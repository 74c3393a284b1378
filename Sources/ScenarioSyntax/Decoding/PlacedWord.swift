internal import Foundations

/// A word that authors bring to one map of the language, and what to write for it there.
///
/// Words that mean the same in all maps are a `ForeignWord`.
struct PlacedWord: Sendable {
  /// The names of the maps.
  var places: Set<String>
  /// The words without what is a matter of taste: `maxattempts`.
  var forms: Set<String>
  /// The key that is written for it.
  var key: String
  /// What is written for it, `%` for the author's value.
  var text: String
  /// The same for a value that is a map or a list, where that differs.
  var structured: String?
  /// The key that a map must have for this; `nil` if any does.
  ///
  /// A condition on text may stand where there may be no text, and there the map has `exists` and `absent`.
  var beside: String?
  /// Whether the word is meant so with a value.
  var takes: @Sendable (YAMLNode) -> Bool

  private init(
    _ places: Set<String>, _ forms: Set<String>, _ key: String, _ text: String? = nil,
    structured: String? = nil, beside: String? = nil,
    takes: @escaping @Sendable (YAMLNode) -> Bool = { _ in true }
  ) {
    self.places = places
    self.forms = forms
    self.key = key
    self.text = text ?? "\(key): %"
    self.structured = structured
    self.beside = beside
    self.takes = takes
  }

  /// Returns the entry of a key in a map that has these keys; `nil` if it has none there.
  static func of(_ member: YAMLMember, in place: String, among keys: [String]) -> PlacedWord? {
    let form = WordForm(member.key.value).text
    return all.first { word in
      word.places.contains(place) && word.forms.contains(form) && word.takes(member.value)
        && word.beside.map(keys.contains) ?? true
    }
  }

  /// `write "count: 2"`.
  func help(for value: YAMLNode) -> String {
    let isScalar = if case .scalar = value.content { true } else { false }
    let text = (isScalar ? nil : structured) ?? text
    return "write \"\(text.replacing("%", with: value.isAbsent ? "…" : value.inlineText))\""
  }

  /// True if nothing but the key changes.
  func isRespelling(of value: YAMLNode) -> Bool {
    let isScalar = if case .scalar = value.content { true } else { false }
    return ((isScalar ? nil : structured) ?? text) == "\(key): %"
  }

  private static let all = [
    PlacedWord(["reply", "shortReply"], ["body", "content"], "text", structured: "json: %"),
    PlacedWord(["reply", "shortReply"], ["data"], "json"),
    PlacedWord(["requestCondition"], ["times", "calls", "exactly"], "count"),
    PlacedWord(
      ["stepRetry"], ["times", "count", "max", "maxattempts", "retries", "limit"], "attempts"),
    PlacedWord(["stepRetry"], ["delay", "interval", "wait", "backoff", "after"], "every"),
    PlacedWord(["textConditions", "outputConditions"], ["text", "content", "body"], "equals"),
    PlacedWord(
      ["textConditions", "outputConditions"], ["count"], "line_count",
      "line_count: %\" or \"length: %"),
    PlacedWord(["textConditions", "outputConditions"], ["size", "len"], "length"),
    PlacedWord(
      ["textConditions", "outputConditions"], ["exist", "present"], "exists", "exists: true",
      beside: "exists"
    ) {
      $0.says(true)
    },
    PlacedWord(
      ["textConditions", "outputConditions"], ["exist", "present"], "absent", "absent: true",
      beside: "absent"
    ) {
      $0.says(false)
    },
    PlacedWord(["textConditions", "outputConditions"], ["missing"], "absent", beside: "absent") {
      $0.says(true) || $0.says(false)
    },
    PlacedWord(
      ["textConditions", "outputConditions"], ["exist", "exists", "present"], "empty",
      "empty: false"
    ) { $0.says(true) },
    PlacedWord(
      ["textConditions", "outputConditions"], ["exist", "exists", "present"], "empty",
      "empty: true"
    ) { $0.says(false) },
    PlacedWord(["textConditions", "outputConditions"], ["absent", "missing"], "empty") {
      $0.says(true) || $0.says(false)
    },
    PlacedWord(["chaosWhen"], ["after"], "from", "from: +%") { node in
      guard case .scalar(let scalar) = node.content else { return false }
      return (try? Nanoseconds(text: scalar.text)) != nil
    },
    PlacedWord(["chaosWhen"], ["before"], "until", "until: +%") { node in
      guard case .scalar(let scalar) = node.content else { return false }
      return (try? Nanoseconds(text: scalar.text)) != nil
    },
    PlacedWord(["target", "exec"], ["cwd", "workdir", "dir", "directory"], "working_directory"),
    PlacedWord(["target"], ["timezone", "tz"], "env", "env: { TZ: % }"),
    PlacedWord(["step"], ["eventually"], "expect", "expect: { eventually: % }") { $0.isMap },
    PlacedWord(["clock"], ["freeze"], "at", "at: %, flow: held"),
    PlacedWord(["clock"], ["timezone", "tz"], "at", "target: { env: { TZ: % } }"),
    PlacedWord(["clock"], ["skew", "drift"], "at", "target: { clock: { skew: % } }"),
    PlacedWord(["linkFaults", "chaosProvide"], ["packetloss"], "loss"),
  ]
}

extension YAMLNode {
  /// Returns whether it is a certain truth value.
  fileprivate func says(_ expected: Bool) -> Bool {
    guard case .scalar(let scalar) = content, case .bool(let bool) = scalar.meaning else {
      return false
    }
    return bool == expected
  }
}
