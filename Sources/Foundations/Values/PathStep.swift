/// One step into a value.
package enum PathStep: Hashable, Sendable, Codable {
  /// A key of a map.
  case key(String)
  /// A place in a list, from 0.
  case index(Int)
}

extension PathStep {
  /// Scalars that end lines, steer terminals or do not show.
  private static let hiddenCategories: Set<Unicode.GeneralCategory> = [
    .control, .format, .lineSeparator, .paragraphSeparator,
  ]

  /// The step as it is written behind a name: `.key`, `[0]`, `['a.b']`; what single quotes cannot hold plainly stands
  /// between double ones, with the escapes of JSON.
  package var text: String {
    switch self {
    case .index(let index): return "[\(index)]"
    case .key(let key):
      if key.isIdentifier { return ".\(key)" }
      let isPlain = key.unicodeScalars.allSatisfy { scalar in
        scalar != "'" && scalar != "\\"
          && !Self.hiddenCategories.contains(scalar.properties.generalCategory)
      }
      return isPlain ? "['\(key)']" : "[\"\(Self.escaped(key))\"]"
    }
  }

  /// Returns a key with the escapes of JSON (RFC 8259, section 7), all that is invisible among
  /// them.
  private static func escaped(_ key: String) -> String {
    var text = ""
    for scalar in key.unicodeScalars {
      if scalar == "\"" || scalar == "\\" {
        text += "\\\(scalar)"
      } else if hiddenCategories.contains(scalar.properties.generalCategory) {
        for unit in UTF16.encode(scalar) ?? .init() {
          let digits = String(unit, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension String {
  /// True if the text is a plain name: letters, digits and `_`, and no digit at its beginning.
  fileprivate var isIdentifier: Bool {
    guard let first = unicodeScalars.first, !("0"..."9").contains(first) else { return false }
    return unicodeScalars.allSatisfy { scalar in
      scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }
  }
}
