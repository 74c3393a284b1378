internal import Foundations

/// A key by which an author says a condition: one of this language's, one that is misspelled, or another tool's.
///
/// A map with such a key is no document by itself: taken for one, it would be equal to nothing, and `not` in front of it
/// would hold for everything.
package struct ConditionWord: Hashable {
  /// The weight of a key as a sign of what its author means.
  enum Weight: Hashable {
    /// A name of a condition, or a word that means one and hardly anything else.
    case clear
    /// A word for conditions elsewhere that documents have as a key as often: `count`, `type`.
    case common
    /// A word that a slip makes of a condition's name, and that may as well be meant: `emtpy`, `types`.
    case near
  }

  /// The key as written.
  let key: String
  /// The weight.
  let weight: Weight
  /// The condition on data with the same meaning; `nil` where there is none.
  package let meant: String?
  /// True if it is a condition on text that data has not, such as `lines`.
  let isAboutText: Bool

  /// `nil` for a key that names no condition and looks like none.
  package init?(_ key: String) {
    let plain = LookalikeLetters.plain(key)
    let form = WordForm(plain).text
    guard !form.isEmpty else { return nil }
    self.key = key
    if let name = Self.names[form] ?? Self.foreign[form] {
      weight = Self.common.contains(form) ? .common : .clear
      isAboutText = !Matcher.dataKeys.contains(name)
      meant = isAboutText ? nil : name
    } else if Self.advice[form] != nil {
      weight = Self.common.contains(form) ? .common : .clear
      isAboutText = false
      meant = nil
    } else if let near = Suggestion.misspelled(plain, in: Self.names.values)
      ?? Suggestion.misspelled(plain, in: ["contain"]).flatMap({ Self.foreign[$0] })
    {
      weight = .clear
      isAboutText = !Matcher.dataKeys.contains(near)
      meant = isAboutText ? nil : near
    } else if Self.opposite(of: form) != nil {
      weight = .near
      isAboutText = false
      meant = nil
    } else if let near = Self.dataCondition(near: plain, form: form) {
      weight = .near
      isAboutText = false
      meant = near
    } else {
      return nil
    }
  }

  /// The condition on data that a word's form names, be it in the words of another tool.
  private static func dataCondition(_ form: Substring) -> String? {
    let form = String(form)
    return (names[form] ?? foreign[form]).flatMap { Matcher.dataKeys.contains($0) ? $0 : nil }
  }

  /// The condition on data whose opposite a word's form names: `exists` for `not_exists`.
  private static func opposite(of form: String) -> String? {
    form.hasPrefix("not") ? dataCondition(form.dropFirst(3)) : nil
  }

  /// The condition on data whose name is within reach of a slip, or stands behind a word that other tools put in front.
  private static func dataCondition(near word: String, form: String) -> String? {
    for prefix in ["is", "to"] where form.hasPrefix(prefix) {
      if let name = dataCondition(form.dropFirst(prefix.count)) { return name }
    }
    return Suggestion.slip(word, in: Matcher.dataKeys)
      ?? Suggestion.slip(word, in: ["contain", "equal", "exist"]).flatMap { foreign[$0] }
  }

  /// True if the key says a condition on data, and is hardly one of a document.
  package var isClearOnData: Bool { weight == .clear && !isAboutText }

  /// True if the key says a condition on data, or would but for a slip, and is none that documents have as often.
  package var isMeantOnData: Bool { weight != .common && !isAboutText }

  /// Returns how to write the condition; `nil` if it is unknown which one is meant.
  ///
  /// - Parameters:
  ///   - operand: The text behind the key, as it is written; "…" where it is too long to repeat.
  ///   - onText: Whether the condition is one on text, which has no elements and is always there.
  package func advice(operand: String, onText: Bool = false) -> String? {
    let form = WordForm(LookalikeLetters.plain(key)).text
    guard let advice = Self.advice[form] else {
      guard !onText else { return nil }
      return Self.opposite(of: form).map { "write { not: { \($0): \(operand) } } for the opposite" }
    }
    guard !onText || advice.fitsText else { return nil }
    return advice.text.replacing("OPERAND", with: operand)
  }

  // MARK: - Tables

  /// The names of conditions, by their form; those on text and on files are none on data, and named
  /// by mistake there.
  private static let names: [String: String] = Dictionary(
    ConditionKey.allCases.map { (WordForm($0.rawValue).text, $0.rawValue) }
  ) { first, _ in first }

  /// The names that other tools have for conditions on data of this language.
  private static let foreign = [
    "contain": "contains", "containing": "contains", "include": "contains", "includes": "contains",
    "including": "contains", "equal": "equals", "eq": "equals", "equalto": "equals",
    "gt": "greater_than", "gte": "at_least", "ge": "at_least", "greaterequal": "at_least",
    "greaterthanorequal": "at_least", "min": "at_least", "minimum": "at_least",
    "lte": "at_most", "le": "at_most", "lessequal": "at_most", "lessthanorequal": "at_most",
    "max": "at_most", "maximum": "at_most", "exist": "exists", "existing": "exists",
    "present": "exists", "defined": "exists", "undefined": "absent", "missing": "absent",
    "count": "length", "len": "length", "size": "length", "haslength": "length",
    "hascount": "length", "hassize": "length", "istype": "type", "typeof": "type",
    "startwith": "starts_with", "beginswith": "starts_with", "beginwith": "starts_with",
    "hasprefix": "starts_with", "endwith": "ends_with", "hassuffix": "ends_with",
    "every": "each", "all": "each", "some": "any", "closeto": "within",
    "greater": "greater_than", "lt": "less_than", "less": "less_than", "match": "matches",
    "matching": "matches", "regex": "matches", "regexp": "matches", "isempty": "empty",
    "jsonschema": "schema", "allof": "all_of", "anyof": "any_of",
    "isoneof": "in", "oneof": "in", "isin": "in", "has": "contains", "is": "equals",
    "pattern": "matches",
  ]

  /// The advice for conditions of other tools that this language writes by others.
  private static let advice: [String: (text: String, fitsText: Bool)] = {
    let words: [(String, Bool, [String])] = [
      (
        "write { not: { equals: OPERAND } } for another value", true,
        ["ne", "neq", "notequal", "notequals", "isnot"]
      ),
      (
        "write { not: { contains: OPERAND } } for what is not there", true,
        ["notcontains", "notcontain", "doesnotcontain", "excludes", "exclude"]
      ),
      ("write { empty: false } if something is to be there", true, ["notempty", "isnotempty"]),
      ("write null alone for null", false, ["isnull"]),
    ]
    let pairs = words.flatMap { text, fitsText, words in
      words.map { ($0, (text: text, fitsText: fitsText)) }
    }
    return Dictionary(pairs) { first, _ in first }
  }()

  /// Words of which a document is as likely to have a key.
  private static let common: Set<String> = [
    "absent", "all", "any", "count", "defined", "each", "every", "exclude", "exists", "len",
    "has", "is", "length", "max", "maximum", "min", "minimum", "missing", "ne", "pattern",
    "present",
    "size", "some", "type", "within",
  ]
}
