extension RegularExpression {
  /// True if it may be found in a text without its final newline alone: it has a `$`.
  package var mindsEnd: Bool { text.unicodeScalars.contains("$") }

  /// The same expression with `^` and `$` as the ends of each line; `nil` where it has neither, or says itself what
  /// they are.
  private var ofLines: (expression: RegularExpression, anchors: [String])? {
    var anchors: [String] = []
    var isInSet = false
    var letters = text.unicodeScalars[...]
    while let letter = letters.popFirst() {
      switch letter {
      case "\\": _ = letters.popFirst()
      case "[" where !isInSet:
        isInSet = true
        // What stands first is a member of the set, be it its end.
        if letters.first == "^" { _ = letters.popFirst() }
        if letters.first == "]" { _ = letters.popFirst() }
      case "]": isInSet = false
      case "^", "$":
        let anchor = String(letter)
        if !isInSet, !anchors.contains(anchor) { anchors.append(anchor) }
      default: break
      }
    }
    guard !anchors.isEmpty else { return nil }
    return (RegularExpression("(?m)\(text)"), anchors)
  }

  /// The help for an expression that was not found, where it is found once `^` and `$` are the ends of a line; `nil`
  /// where that changes nothing.
  ///
  /// - Parameter isFound: whether such an expression is found where this one was not.
  package func helpForLines(_ isFound: (RegularExpression) -> Bool) -> String? {
    guard let (expression, anchors) = ofLines, isFound(expression) else { return nil }
    let whole =
      anchors.count == 2
      ? "\"^\" and \"$\" are the two ends of all the text"
      : anchors[0] == "^"
        ? "\"^\" is the beginning of all the text" : "\"$\" is the end of all the text"
    return "\(whole), and of a line with (?m) in front; write \(expression.text)"
  }
}
