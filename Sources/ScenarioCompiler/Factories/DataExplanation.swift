internal import Foundations
internal import OrderedCollections

/// Explains each part of a model: its setter, and the draw for it.
struct DataExplanation {
  /// The explanation of one path.
  struct Origin {
    var setter: String
    var range: SourceRange
    var draw: String?
  }

  private(set) var origins: OrderedDictionary<String, Origin> = [:]

  mutating func record(_ address: DataAddress, _ setter: FieldSetter, at range: SourceRange) {
    let path = address.text
    // What is set afterwards is not what was drawn.
    let draw = setter == .after ? nil : origins[path]?.draw
    origins[path] = Origin(setter: setter.text, range: range, draw: draw)
  }

  /// Forgets what is known of a value and its parts that another takes the place of.
  mutating func forget(_ address: DataAddress) {
    let path = address.text
    origins.removeAll { Self.covers(path, $0.key) }
  }

  /// Moves the explanation of one address to another.
  mutating func move(_ address: DataAddress, to place: DataAddress) {
    let (path, other) = (address.text, place.text)
    for (known, origin) in origins where Self.covers(path, known) {
      origins[known] = nil
      origins[other + known.dropFirst(path.count)] = origin
    }
  }

  mutating func record(_ address: DataAddress, drawn draw: String, at range: SourceRange) {
    let path = address.text
    var origin = origins[path] ?? Origin(setter: "", range: range)
    if origin.setter.isEmpty { origin.range = range }
    origin.draw = draw
    origins[path] = origin
  }

  /// The explanation of a path, or of the nearest around it; a draw belongs to its own path alone.
  func origin(of path: String) -> Origin? {
    var found: Origin?
    var length = -1
    for (known, origin) in origins where known.utf8.count > length && Self.covers(known, path) {
      if origin.setter.isEmpty, found != nil {
        found?.draw = origin.draw
      } else {
        let setter = found?.setter ?? ""
        found = origin
        if origin.setter.isEmpty { found?.setter = setter }
      }
      length = known.utf8.count
    }
    return found
  }

  private static func covers(_ outer: String, _ path: String) -> Bool {
    guard path.hasPrefix(outer) else { return false }
    let next = path.utf8.dropFirst(outer.utf8.count).first
    return next == nil || next == UInt8(ascii: ".") || next == UInt8(ascii: "[")
  }
}
