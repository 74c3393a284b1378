internal import Foundations

/// A key of the language as readers look it up.
package struct DescribedKey: Hashable, Sendable {
  /// The key.
  package var name: String
  /// The map that has it, in plain words.
  package var place: String
  /// The values that it takes, in words.
  package var shape: String
  /// The meaning.
  package var summary: String

  /// Returns what a key means in each map that has it, in the order of the reference; once for maps in which it means
  /// the same.
  package static func all(named name: String) -> [DescribedKey] {
    var found: [DescribedKey] = []
    for definition in LanguageDescription.definitions {
      guard case .map(let keys, _) = definition.content,
        let key = keys.first(where: { $0.name == name })
      else { continue }
      let place = "\"\(ShapeText.title(definition.name))\""
      let shape = ShapeText.plain.text(of: key.shape)
      if let same = found.firstIndex(where: { $0.summary == key.summary && $0.shape == shape }) {
        found[same].place += ", \(place)"
      } else {
        found.append(DescribedKey(name: name, place: place, shape: shape, summary: key.summary))
      }
    }
    return found
  }

  /// The names of all keys, each once.
  package static var names: [String] {
    let all = LanguageDescription.definitions.flatMap { definition -> [String] in
      if case .map(let keys, _) = definition.content { keys.map(\.name) } else { [] }
    }
    return Set(all).sorted()
  }
}
