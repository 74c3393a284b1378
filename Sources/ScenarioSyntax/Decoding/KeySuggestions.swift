internal import Foundations

/// The places to which a key belongs that is in a map which does not have it.
///
/// Authors put a right key one level too high or too low more often than they misspell it, and bring words along
/// from other tools (`ForeignWord`).
enum KeySuggestions {
  /// The maps in which authors think, from the outside inwards.
  private static let places: [(name: String, keys: [String])] = [
    ("the top of the file", ["folder", "include", "scenarios", "secrets", "version"]),
    ("a scenario", Grammar.scenario.keys), ("\"target\"", Grammar.target.keys),
    ("\"clock\"", Grammar.clock.keys), ("\"network\"", Grammar.network.keys),
    ("an entry of \"responses\"", Grammar.httpResponse.keys), ("\"request\"", Grammar.request.keys),
    ("\"reply\"", Grammar.reply.keys), ("a step", Grammar.step.keys),
    ("\"expect\"", Grammar.expect.keys),
    ("the condition of a text", Grammar.outputConditions.keys),
  ]
  /// Beyond that a key says too little about what its author means.
  private static let limit = 4

  /// Returns the key of this language with the meaning of a word of other tools, value and all;
  /// `nil` if none among `keys` has it.
  static func alias(of word: String, in keys: [String]) -> String? {
    guard let meaning = ForeignWord.of(word)?.meaning(in: keys), meaning.takesSameValue else {
      return nil
    }
    return meaning.key
  }

  /// The key of this language that is meant by a word of other tools; `nil` if none among `keys` is.
  static func synonym(of word: String, in keys: [String]) -> String? {
    ForeignWord.of(word)?.meaning(in: keys)?.key
  }

  /// `write "tick: 3s" for "sleep" of bats`; `nil` for a word that no tool has, or that needs no example.
  ///
  /// - Parameter meant: The key of this language that was found for it; `nil` if the map has none, so that the help says
  ///   where one has its place.
  static func translation(of word: String, as meant: String?) -> String? {
    guard let foreign = ForeignWord.of(word), !isKey(word) else { return nil }
    if let meant {
      guard let meaning = foreign.meanings.first(where: { $0.key == meant }), !meaning.text.isEmpty
      else { return nil }
      return "write \"\(meaning.text)\" for \"\(word)\" of \(foreign.tools)"
    }
    for meaning in foreign.meanings {
      guard let place = places.first(where: { $0.keys.contains(meaning.key) }) else { continue }
      let text = meaning.text.isEmpty ? meaning.key : meaning.text
      return "write \"\(text)\" in \(place.name) for \"\(word)\" of \(foreign.tools)"
    }
    return nil
  }

  /// `"files" belongs to a scenario, "target", "clock" or "expect"; `, the beginning of a help; empty for a key that belongs nowhere,
  /// or to too many maps.
  static func opening(for key: String) -> String {
    let names = places.filter { $0.keys.contains(key) }.map(\.name)
    guard let last = names.last, names.count <= limit else { return "" }
    let others = names.dropLast().joined(separator: ", ")
    return "\"\(key)\" belongs to \(others.isEmpty ? last : "\(others) or \(last)"); "
  }

  /// Returns whether a key belongs to the map behind another key.
  static func isKey(_ word: String, of parent: String) -> Bool {
    places.contains { $0.name == "\"\(parent)\"" && $0.keys.contains(word) }
  }

  /// Returns whether a word is spelled right: one that the language has in another place, or that other tools have.
  ///
  /// However near a key is, such a word may be meant as it stands, so that nothing is certain about it: a recording is
  /// replayed, and no "reply".
  static func isWord(_ word: String) -> Bool {
    LanguageDescription.words.contains(word) || ForeignWord.of(word) != nil
  }

  /// Returns whether a key is one of the language somewhere.
  static func isKey(_ word: String) -> Bool {
    places.contains { $0.keys.contains(word) }
  }
}
