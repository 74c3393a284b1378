/// The two ends of a link, and the ways between them: `n1 <-> n2`, `n1 -> [n2, n3]`, `n* -> db`.
package struct LinkEnds: Sendable, Hashable, Codable {
  /// Those that send: names of targets, in which `*` matches any characters, or a host beyond the scenario's.
  package var from: [String]
  /// Those that get it.
  package var to: [String]
  /// True if the other way is meant as well.
  package var isTwoWay: Bool

  /// Creates ends.
  package init(from: [String], to: [String], isTwoWay: Bool) {
    self.from = from
    self.to = to
    self.isTwoWay = isTwoWay
  }

  /// Reads them; `nil` where the text is not of that form.
  package init?(_ text: String) {
    let isTwoWay = text.contains("<->")
    let parts = text.split(
      separator: isTwoWay ? "<->" : "->", omittingEmptySubsequences: false)
    guard parts.count == 2, let from = Self.names(parts[0]), let to = Self.names(parts[1]) else {
      return nil
    }
    self.init(from: from, to: to, isTwoWay: isTwoWay)
  }

  /// The names at one end: one, or several in brackets; `nil` if it is neither.
  private static func names(_ text: Substring) -> [String]? {
    var text = text.trimmingBlanks()
    let isList =
      text.hasPrefix("[") && text.hasSuffix("]") && text.count > 1 && !isBracketedAddress(text)
    if isList { text = text.dropFirst().dropLast() }
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map {
      String($0.trimmingBlanks())
    }
    guard isList || names.count == 1,
      names.allSatisfy({ name in
        !name.isEmpty
          && (isBracketedAddress(name[...]) || !name.contains { " \t<>[]".contains($0) })
      })
    else { return nil }
    return names.contains { $0.hasPrefix("-") || $0.hasSuffix("-") } ? nil : names
  }

  /// Returns whether a text is an IPv6 address in brackets, with a port or without.
  private static func isBracketedAddress(_ text: Substring) -> Bool {
    guard text.hasPrefix("["), let bracket = text.firstIndex(of: "]") else { return false }
    let address = text[..<bracket].dropFirst()
    let rest = text[bracket...].dropFirst()
    return address.count { $0 == ":" } > 1
      && address.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
      && (rest.isEmpty || rest.hasPrefix(":") && rest.dropFirst().allSatisfy { $0.isWholeNumber })
  }

  /// Returns whether what one target sends to another one goes this way.
  package func carries(from sender: String, to receiver: String) -> Bool {
    from.contains(sender) && to.contains(receiver)
      || isTwoWay && to.contains(sender) && from.contains(receiver)
  }

  /// Returns whether all that goes the other ways goes these ways as well.
  package func contain(_ others: LinkEnds) -> Bool {
    isTwoWay == others.isTwoWay
      && (Set(from).isSuperset(of: others.from) && Set(to).isSuperset(of: others.to)
        || isTwoWay && Set(from).isSuperset(of: others.to) && Set(to).isSuperset(of: others.from))
  }

  /// The ends as an author writes them.
  package var text: String { "\(Self.text(from)) \(isTwoWay ? "<->" : "->") \(Self.text(to))" }

  private static func text(_ names: [String]) -> String {
    names.count == 1 ? names[0] : "[\(names.joined(separator: ", "))]"
  }

  /// Returns the ends that a text of another notation may mean: `n1 => n2`, `n1 <- n2`, `n1, n2 <-> n3`.
  package static func meant(by text: String) -> LinkEnds? {
    var text = text
    for (other, own) in [
      ("<=>", "<->"), ("<-->", "<->"), ("↔", "<->"), ("=>", "->"), ("-->", "->"), ("→", "->"),
      ("<=", "<-"), ("<--", "<-"), ("←", "<-"), (" -- ", " <-> "), (" to ", " -> "),
    ] { text = text.replacing(other, with: own) }
    if !text.contains("->"), text.contains("<-") {
      let parts = text.split(separator: "<-", omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      text = "\(parts[1]) -> \(parts[0])"
    }
    let arrow = text.contains("<->") ? "<->" : "->"
    let parts = text.split(separator: arrow, omittingEmptySubsequences: false).map { part in
      part.contains(",") && !part.contains("[") ? "[\(part)]" : String(part)
    }
    return LinkEnds(parts.joined(separator: arrow))
  }
}

extension Substring {
  /// The text without blanks at either end.
  fileprivate func trimmingBlanks() -> Substring {
    var rest = drop { $0 == " " || $0 == "\t" }
    while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
    return rest
  }
}
