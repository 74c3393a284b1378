import _StringProcessing

extension RegularExpression {
  /// The names of the groups that have one, as in `(?<port>\d+)`, in order.
  package var groupNames: [String] {
    (try? LinearExpression(text))?.groups.compactMap(\.self) ?? scannedGroupNames
  }

  /// The names of groups in an expression that a linear search cannot run, found by scanning its
  /// letters.
  private var scannedGroupNames: [String] {
    var names: [String] = []
    var rest = text.unicodeScalars[...]
    var isInClass = false
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\\": rest = rest.dropFirst()
      case "[": isInClass = true
      case "]": isInClass = false
      case "("
      where !isInClass
        && (rest.starts(with: "?<".unicodeScalars)
          || rest.starts(with: "?P<".unicodeScalars)):
        guard let start = rest.firstIndex(of: "<") else { break }
        let name = rest[rest.index(after: start)...].prefix { $0 != ">" }
        // `(?<=` and `(?<!` look behind.
        if let first = name.first, first != "=", first != "!" { names.append(String(name)) }
      default: break
      }
    }
    return names
  }

  /// A match with its named groups.
  package struct GroupMatch: Sendable {
    /// The texts of the groups that take part.
    package var groups: [(name: String, text: String)]
    /// True if the last line that was matched is whole: its newline is there.
    package var isWhole: Bool
  }

  /// Finds the first match, with its named groups; `nil` if there is none.
  package func groupMatch(in text: String) -> GroupMatch? {
    if let expression = try? LinearExpression(self.text, keepsGroups: true) {
      return expression.groupMatch(in: text)
    }
    guard let expression = try? Regex(self.text).matchingSemantics(.unicodeScalar),
      let match = try? expression.firstMatch(in: text)
    else { return nil }
    let groups: [(name: String, text: String)] = match.output.compactMap { group in
      guard let name = group.name, let text = group.substring else { return nil }
      return (name, String(text))
    }
    let matched = text.utf8[match.range]
    let isWhole = matched.last == 0x0A || text.utf8[match.range.upperBound...].contains(0x0A)
    return GroupMatch(groups: groups, isWhole: isWhole)
  }
}

extension LinearExpression {
  fileprivate func groupMatch(in text: String) -> RegularExpression.GroupMatch? {
    guard let match = LinearMatch(of: self, in: text) else { return nil }
    let named = zip(groups, match.groups).compactMap { name, range in
      name.flatMap { name in range.map { (name: name, text: text.text(in: $0)) } }
    }
    let isWhole =
      text.text(in: match.range).utf8.last == 0x0A
      || text.utf8.dropFirst(match.range.upperBound).contains(0x0A)
    return RegularExpression.GroupMatch(groups: named, isWhole: isWhole)
  }
}

extension String {
  /// Returns the text at a range of UTF-8, whose ends are between scalars.
  func text(in range: Range<Int>) -> String {
    let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
    return String(self[start..<utf8.index(start, offsetBy: range.count)])
  }
}
