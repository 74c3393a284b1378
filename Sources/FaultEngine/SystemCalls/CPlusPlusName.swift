/// A function of C++ as programs write it, `app::Store::save(int)`, and the symbols that it has (Itanium C++
/// ABI, 5.1).
package struct CPlusPlusName {
  /// Patterns of the symbols.
  package let symbols: [String]

  /// Returns whether a text is such a name, and none of C or Go.
  package static func isMeant(by text: String) -> Bool {
    guard !text.hasPrefix("_Z") else { return false }
    if text.contains("::") { return true }
    guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else { return false }
    return open > text.startIndex && text[..<open].allSatisfy(isPart)
  }

  /// Reads a name; `nil` where it has what is not translated: templates, operators, constructors, names of the
  /// standard library, parameters that are no plain types.
  package init?(_ text: String) {
    var rest = text[...]
    var isConstant = false
    if rest.hasSuffix(" const") {
      rest = rest.dropLast(6)
      isConstant = true
    }
    var parameters: String?
    if let open = rest.firstIndex(of: "(") {
      guard rest.hasSuffix(")"),
        let code = Self.parameters(rest[rest.index(after: open)...].dropLast())
      else { return nil }
      parameters = code
      rest = rest[..<open]
    }
    let parts = rest.replacing("::", with: ":").split(
      separator: ":", omittingEmptySubsequences: false)
    guard !parts.isEmpty, parts.first != "std", parts.allSatisfy({ Self.isIdentifier($0) }),
      // Constructors have several symbols with names of their own.
      parts.count < 2 || parts[parts.count - 1] != parts[parts.count - 2]
    else { return nil }
    let name = parts.map { "\($0.utf8.count)\($0)" }.joined()
    let end = parameters ?? "*"
    guard parts.count > 1 else {
      symbols = Self.tagged { "_Z\(name)\($0)\(end)" }
      return
    }
    let qualifiers = isConstant ? ["K"] : parameters == nil ? ["", "K"] : [""]
    symbols = qualifiers.flatMap { qualifier in
      Self.tagged { "_ZN\(qualifier)\(name)\($0)E\(end)" }
    }
  }

  /// The symbols of a name without and with the tags of an ABI, which a function has that returns a `std::string`
  /// (5.1.4.1).
  private static func tagged(_ symbol: (String) -> String) -> [String] {
    [symbol(""), symbol("B*")]
  }

  private static func isPart(_ character: Character) -> Bool {
    character == "_" || character.isLetter || character.isNumber
  }

  private static func isIdentifier(_ text: Substring) -> Bool {
    !text.isEmpty && text.allSatisfy(isPart) && text.first?.isNumber == false
  }

  /// The code of a list of parameters.
  private static func parameters(_ text: Substring) -> String? {
    let list = text.split(separator: ",", omittingEmptySubsequences: false).map { trimmed($0) }
    if list == [""] || list == ["void"] { return "v" }
    let codes = list.map { code(of: $0) }
    var known: Set<String> = []
    var result = ""
    for code in codes {
      guard let code else { return nil }
      // A second one of the same compound type is written as its number among those before.
      guard code.count == 1 || known.insert(code).inserted else { return nil }
      result += code
    }
    // Of several compound types parts may be the same.
    return known.count > 1 ? nil : result
  }

  private static func code(of type: String) -> String? {
    for (ending, code) in [("*", "P"), ("&", "R")] where type.hasSuffix(ending) {
      var inner = trimmed(type.dropLast())
      var constant = ""
      if inner.hasPrefix("const ") {
        inner = trimmed(inner.dropFirst(6))
        constant = "K"
      } else if inner.hasSuffix(" const") {
        inner = trimmed(inner.dropLast(6))
        constant = "K"
      }
      return types[inner].map { code + constant + $0 }
    }
    return types[type]
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    text.split(separator: " ").joined(separator: " ")
  }

  /// Builtin types, and the typedefs of x86-64 and aarch64 Linux for them.
  private static let types: [String: String] = [
    "void": "v", "bool": "b", "char": "c", "signed char": "a", "unsigned char": "h", "short": "s",
    "unsigned short": "t", "int": "i", "unsigned": "j", "unsigned int": "j", "long": "l",
    "unsigned long": "m", "long long": "x", "unsigned long long": "y", "float": "f", "double": "d",
    "long double": "e", "wchar_t": "w", "size_t": "m", "std::size_t": "m", "int32_t": "i",
    "uint32_t": "j", "int64_t": "l", "uint64_t": "m", "uint8_t": "h", "int16_t": "s",
    "uint16_t": "t",
  ]
}
