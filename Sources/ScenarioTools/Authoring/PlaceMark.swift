/// What stands for the path of a case's folder in texts that are compared: the path differs in each run.
package enum PlaceMark: UInt32, Sendable, CaseIterable {
  // Each is a noncharacter (Unicode 23.7), so that no text has it.
  /// The working directory.
  case work = 0xFDD0
  /// The target's HOME.
  case home
  /// The target's TMPDIR.
  case temporary
  /// The folder that holds the others.
  case root
  /// The working directory as JSON with escaped slashes has it.
  case escapedWork
  /// The target's HOME as JSON with escaped slashes has it.
  case escapedHome
  /// The target's TMPDIR as JSON with escaped slashes has it.
  case escapedTemporary
  /// The folder that holds the others as JSON with escaped slashes has it.
  case escapedRoot

  /// The mark as text.
  package var text: String { Unicode.Scalar(rawValue).map { String($0) } ?? "" }

  /// The expression for the path; `nil` where the language has none.
  private var expression: String? { self == .work ? "${{ dir }}" : nil }

  /// A regular expression for the path, whatever TMPDIR is and in whatever place the case runs.
  private var pattern: String {
    switch self {
    case .work: "/.+/work"
    case .home: "/.+/home"
    case .temporary: "/.+/tmp"
    case .root: "/.+"
    case .escapedWork: #"\\/.+\\/work"#
    case .escapedHome: #"\\/.+\\/home"#
    case .escapedTemporary: #"\\/.+\\/tmp"#
    case .escapedRoot: #"\\/.+"#
    }
  }

  /// The path as a reader knows it.
  private var name: String {
    switch self {
    case .work, .escapedWork: "${{ dir }}"
    case .home, .escapedHome: "$HOME"
    case .temporary, .escapedTemporary: "$TMPDIR"
    case .root, .escapedRoot: "$ROOT"
    }
  }

  // MARK: - Texts with marks

  /// Returns whether a text has marks that no expression can stand for there.
  static func needPattern(in text: String) -> Bool {
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      // Behind a dollar sign an expression is plain text.
      if let mark = PlaceMark(rawValue: scalar.value), mark.expression == nil || last == "$" {
        return true
      }
      last = scalar
    }
    return false
  }

  /// A text with expressions in place of its marks.
  static func expressed(_ text: String) -> String {
    replaced(text) { $0.expression ?? $0.name }
  }

  /// A regular expression with those of paths in place of its marks.
  static func matched(_ pattern: String) -> String { replaced(pattern, \.pattern) }

  /// A text in words that a reader knows.
  package static func shown(_ text: String) -> String { replaced(text, \.name) }

  private static func replaced(
    _ text: String, _ replacement: (PlaceMark) -> String
  ) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let mark = PlaceMark(rawValue: scalar.value) {
        result.append(contentsOf: replacement(mark).unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
