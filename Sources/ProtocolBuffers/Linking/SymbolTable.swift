internal import Foundations

/// The names that files define, and what each of them stands for.
struct SymbolTable {
  /// What a name stands for.
  enum Symbol {
    case package
    case message(Int)
    case enumeration(Int)
    case service
    /// A field, an enum's value, a oneof, a method.
    case member

    /// True if names may stand below it.
    var isScope: Bool {
      switch self {
      case .package, .message, .enumeration, .service: true
      case .member: false
      }
    }
  }

  /// A name that is defined twice, or that means nothing where it stands.
  struct Mistake: Error {
    var message: String
    var help: String
  }

  private struct Definition {
    var symbol: Symbol
    var file: Int
    var location: ProtoLocation?
  }

  private let files: [DescriptorFile]
  private var definitions: [String: Definition] = [:]
  /// The names of messages and enums that an author may have meant.
  private var typeNames: [String] = []
  private var fileIndex = 0
  /// The files that the names of the file at hand may come from.
  private var visible: Set<Int> = []

  /// Creates a table without names of files whose imports are known.
  init(_ files: [DescriptorFile]) { self.files = files }

  /// Turns to a file: it is the one that declares names, and that looks them up.
  mutating func enter(fileAt index: Int) {
    fileIndex = index
    visible = visibleFiles(of: index)
  }

  private func visibleFiles(of index: Int) -> Set<Int> {
    var found: Set<Int> = [index]
    var pending = files[index].imports
    while let next = pending.popLast() {
      guard found.insert(next).inserted else { continue }
      let publicNames = Set(files[next].definition.imports.filter(\.isPublic).map(\.path.text))
      pending += files[next].imports.filter { publicNames.contains(files[$0].name) }
    }
    return found
  }

  // MARK: - Declarations

  /// Returns whether a full name is that of a package.
  func isPackage(_ name: String) -> Bool {
    if case .package? = definitions[name]?.symbol { true } else { false }
  }

  /// Takes a full name of the file at hand.
  ///
  /// - Parameter isMapEntry: true of the message that stands for a map's pairs, which no author writes.
  /// - Throws: The mistake, if the name is defined already.
  mutating func declare(
    _ name: String, _ symbol: Symbol, at location: ProtoLocation?, isMapEntry: Bool = false
  ) throws(Mistake) {
    if let first = definitions[name] {
      let path = files[first.file].definition.path
      let place = first.location.map { "\(path):\($0.line):\($0.column)" } ?? path
      throw Mistake(
        message: "\"\(name)\" is defined twice",
        help: "rename one of the two; the other is at \(place)")
    }
    definitions[name] = Definition(symbol: symbol, file: fileIndex, location: location)
    switch symbol {
    case .message, .enumeration: if !isMapEntry { typeNames.append(name) }
    case .package, .service, .member: break
    }
  }

  // MARK: - References

  /// Finds a name from the innermost scope outwards, as C++ does: its first part decides where the rest must be.
  ///
  /// - Parameter what: what the name should be, with its article.
  /// - Returns: The full name, and what it stands for.
  /// - Throws: The mistake, if there is no such name, or none that the file at hand sees.
  func look(
    up name: String, in scope: String, for what: String
  ) throws(Mistake) -> (name: String, symbol: Symbol) {
    let found = Self.candidates(name, in: scope).first { candidate in
      definitions[candidate.first].map { $0.symbol.isScope || candidate.name == candidate.first }
        ?? false
    }
    guard let full = found?.name, let definition = definitions[full] else {
      throw Mistake(
        message: "\(what) \"\(name)\" is not defined",
        help: near(name).map { "did you mean \"\($0)\"? Otherwise import the file that defines it" }
          ?? "define it, or import the file that does")
    }
    if case .package = definition.symbol {
      throw Mistake(message: "\"\(name)\" is a package", help: "write the name of a type")
    }
    guard visible.contains(definition.file) else {
      let file = files[definition.file].name
      throw Mistake(
        message: "\"\(full)\" is defined in \"\(file)\", which this file does not import",
        help: "write import \"\(file)\"; at the file's beginning")
    }
    return (full, definition.symbol)
  }

  /// The name of a type that comes nearest; all are searched.
  private func near(_ name: String) -> String? {
    let last = Self.lastPart(of: name)
    return Suggestion.closest(to: name, in: typeNames)
      ?? typeNames.filter { $0 == last || $0.hasSuffix("." + last) }.min()
      ?? Suggestion.closest(to: last, in: typeNames.map(Self.lastPart(of:)))
  }

  private static func lastPart(of name: String) -> String {
    name.split(separator: ".").last.map(String.init) ?? name
  }

  /// The names that a name may stand for, from the innermost scope on, each with its first part.
  static func candidates(
    _ name: String, in scope: String
  ) -> [(name: String, first: String)] {
    if name.hasPrefix(".") {
      let full = String(name.dropFirst())
      return [(full, full)]
    }
    let first = name.split(separator: ".").first.map(String.init) ?? name
    var found: [(String, String)] = []
    var parts = scope.split(separator: ".")
    while true {
      let prefix = parts.isEmpty ? "" : parts.joined(separator: ".") + "."
      found.append((prefix + name, prefix + first))
      guard parts.popLast() != nil else { return found }
    }
  }
}
