/// The functions of XPath 1.0 (section 4), but `id`, which needs a document type.
enum XPathFunction: String, Hashable, Sendable, CaseIterable {
  case boolean
  case ceiling
  case concat
  case contains
  case count
  case isFalse = "false"
  case floor
  case lang
  case last
  case localName = "local-name"
  case name
  case namespaceURI = "namespace-uri"
  case normalizeSpace = "normalize-space"
  case not
  case number
  case position
  case round
  case startsWith = "starts-with"
  case string
  case stringLength = "string-length"
  case substring
  case substringAfter = "substring-after"
  case substringBefore = "substring-before"
  case sum
  case translate
  case isTrue = "true"

  /// The number of arguments.
  var argumentCount: ClosedRange<Int> {
    switch self {
    case .isFalse, .isTrue, .last, .position: 0...0
    case .localName, .name, .namespaceURI, .normalizeSpace, .number, .string, .stringLength: 0...1
    case .boolean, .ceiling, .count, .floor, .lang, .not, .round, .sum: 1...1
    case .contains, .startsWith, .substringAfter, .substringBefore: 2...2
    case .substring: 2...3
    case .translate: 3...3
    case .concat: 2...Int.max
    }
  }

  /// True if its first argument must be nodes.
  var takesNodes: Bool {
    switch self {
    case .count, .localName, .name, .namespaceURI, .sum: true
    default: false
    }
  }

  var givesNumber: Bool {
    switch self {
    case .ceiling, .count, .floor, .last, .number, .position, .round, .stringLength, .sum: true
    default: false
    }
  }

  /// Functions of later versions, and what to write instead.
  static let later = [
    "ends-with":
      "compare substring(x, string-length(x) - 2) with the end, or put ends_with below the path",
    "exists": "write boolean(x), or put exists below the path",
    "lower-case": "write translate(x, 'ABC…', 'abc…')",
    "upper-case": "write translate(x, 'abc…', 'ABC…')",
    "matches": "put matches below the path",
    "id": "write //*[@id='…']: ids are declared by a document type, which is never read",
    "text": "text() selects nodes: write it as a step, /text()",
  ]
}
