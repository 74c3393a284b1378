/// The functions of XPath 1.0 (section 4).
extension XPathEvaluation {
  mutating func call(
    _ function: XPathFunction, _ arguments: [XPathExpression], at context: Context
  ) -> XPathValue {
    switch function {
    case .last: return .number(Double(context.size))
    case .position: return .number(Double(context.position))
    case .count: return .number(Double(nodes(of: arguments[0], at: context).count))
    case .localName, .name, .namespaceURI:
      let node = arguments.isEmpty ? context.node : nodes(of: arguments[0], at: context).first
      guard let node, let name = document.name(of: node) else { return .text("") }
      switch function {
      case .localName: return .text(name.local)
      case .name: return .text(name.qualified)
      default: return .text(name.namespace)
      }
    case .isTrue: return .truth(true)
    case .isFalse: return .truth(false)
    case .not: return .truth(!truth(of: arguments[0], at: context))
    case .boolean: return .truth(truth(of: arguments[0], at: context))
    case .lang: return .truth(hasLanguage(text(of: arguments[0], at: context), context.node))
    case .number:
      guard let first = arguments.first else {
        return .number(XPathNumber.value(of: stringValue(of: context.node)))
      }
      return .number(number(of: first, at: context))
    case .sum:
      var sum = 0.0
      for node in nodes(of: arguments[0], at: context) where remaining > 0 {
        sum += XPathNumber.value(of: stringValue(of: node))
      }
      return .number(sum)
    case .floor: return .number(number(of: arguments[0], at: context).rounded(.down))
    case .ceiling: return .number(number(of: arguments[0], at: context).rounded(.up))
    case .round: return .number(XPathNumber.rounded(number(of: arguments[0], at: context)))
    case .string: return .text(own(arguments, at: context))
    case .stringLength: return .number(Double(own(arguments, at: context).unicodeScalars.count))
    case .normalizeSpace: return .text(Self.normalized(own(arguments, at: context)))
    case .concat:
      var text = ""
      for argument in arguments { text += self.text(of: argument, at: context) }
      return .text(text)
    case .contains, .startsWith, .substringBefore, .substringAfter:
      return part(function, arguments, at: context)
    case .substring: return .text(substring(arguments, at: context))
    case .translate:
      return .text(
        Self.translated(
          text(of: arguments[0], at: context), text(of: arguments[1], at: context),
          text(of: arguments[2], at: context)))
    }
  }

  /// The text of the argument; of the node itself where there is none.
  private mutating func own(_ arguments: [XPathExpression], at context: Context) -> String {
    guard let first = arguments.first else { return stringValue(of: context.node) }
    return text(of: first, at: context)
  }

  private mutating func part(
    _ function: XPathFunction, _ arguments: [XPathExpression], at context: Context
  ) -> XPathValue {
    let text = Array(self.text(of: arguments[0], at: context).utf8)
    let wanted = Array(self.text(of: arguments[1], at: context).utf8)
    if case .startsWith = function { return .truth(text.starts(with: wanted)) }
    let range = wanted.isEmpty ? 0..<0 : text.firstRange(of: wanted)
    switch function {
    case .contains: return .truth(range != nil)
    case .substringBefore:
      return .text(range.map { String(decoding: text[..<$0.lowerBound], as: UTF8.self) } ?? "")
    default:
      return .text(range.map { String(decoding: text[$0.upperBound...], as: UTF8.self) } ?? "")
    }
  }

  /// Section 4.2: characters count from 1, and bounds are rounded.
  private mutating func substring(_ arguments: [XPathExpression], at context: Context) -> String {
    let text = Array(self.text(of: arguments[0], at: context).unicodeScalars)
    let first = XPathNumber.rounded(number(of: arguments[1], at: context))
    let end =
      arguments.count > 2
      ? first + XPathNumber.rounded(number(of: arguments[2], at: context)) : .infinity
    var result = String.UnicodeScalarView()
    for (offset, scalar) in text.enumerated()
    where Double(offset + 1) >= first && Double(offset + 1) < end {
      result.append(scalar)
    }
    return String(result)
  }

  private static func translated(_ text: String, _ from: String, _ to: String) -> String {
    let replacements = Array(to.unicodeScalars)
    var table: [Unicode.Scalar: Unicode.Scalar?] = [:]
    for (offset, scalar) in from.unicodeScalars.enumerated() where table[scalar] == nil {
      table[scalar] = .some(offset < replacements.count ? replacements[offset] : nil)
    }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let replacement = table[scalar] ?? .some(scalar) { result.append(replacement) }
    }
    return String(result)
  }

  private static func normalized(_ text: String) -> String {
    let words = text.utf8.split(whereSeparator: XMLDocument.isSpace)
    return words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
  }

  /// Section 4.3, lang().
  private mutating func hasLanguage(_ language: String, _ node: Int) -> Bool {
    var place = node
    while place != 0, remaining > 0 {
      remaining -= 1 + document.attributes(of: place).count
      for attribute in document.attributes(of: place) {
        guard let name = document.name(of: attribute), name.prefix == "xml", name.local == "lang"
        else { continue }
        let value = document.text(of: attribute).lowercased()
        let wanted = language.lowercased()
        return value == wanted || value.hasPrefix(wanted + "-")
      }
      place = Int(document.nodes[place].parent)
    }
    return false
  }
}
