internal import Foundations
internal import OrderedCollections
internal import ScenarioSyntax

/// The reason why a request cannot be done.
struct FeatureError: Error {
  /// Lower case, no full stop.
  var message: String
}

extension DocumentFeatures {
  /// Returns the place of the definition of the name at a place.
  func definition(at position: EditorPosition) -> Value {
    guard let occurrence = occurrence(at: position) else { return .null }
    var index = NameIndex(workspace)
    if occurrence.kind == .file {
      guard let file = index.used(occurrence, in: document.path) else { return .null }
      let start = EditorPosition(line: 0, character: 0)
      return location(file.path, EditorRange(start: start, end: start))
    }
    return index.definition(of: occurrence, in: document.path).flatMap { location($0, index) }
      ?? .null
  }

  /// Returns the places of references to the name at a place.
  func references(at position: EditorPosition, withDefinitions: Bool) -> Value {
    guard let occurrence = occurrence(at: position) else { return .list([]) }
    var index = NameIndex(workspace)
    let found = index.references(of: occurrence, in: document.path)
    return .list(
      found.filter { withDefinitions || !$0.occurrence.isDefinition }
        .compactMap { location($0, index) })
  }

  /// The same within the document, for an editor that marks them.
  func highlights(at position: EditorPosition) -> Value {
    guard let occurrence = occurrence(at: position) else { return .list([]) }
    var index = NameIndex(workspace)
    return .list(
      index.references(of: occurrence, in: document.path).filter { $0.path == document.path }
        .compactMap { found in
          range(found.occurrence.range).map {
            .object([
              "range": $0.value, "kind": .int(found.occurrence.isDefinition ? 3 : 2),
            ])
          }
        })
  }

  // MARK: - Renaming

  /// The name at a place that can be given anew; `nil` if there is none.
  func renaming(at position: EditorPosition) -> Value {
    guard let occurrence = renamable(at: position), let range = range(occurrence.range) else {
      return .null
    }
    return .object(["range": range.value, "placeholder": .string(occurrence.name)])
  }

  private func renamable(at position: EditorPosition) -> NameOccurrence? {
    guard let occurrence = occurrence(at: position), occurrence.kind != .file,
      occurrence.kind != .request
    else { return nil }
    var index = NameIndex(workspace)
    // The word "all", and names without a definition, are none.
    return index.definition(of: occurrence, in: document.path) == nil ? nil : occurrence
  }

  /// The changes that give what is called at a place another name, in all files.
  func rename(at position: EditorPosition, to name: String) throws(FeatureError) -> Value {
    guard let occurrence = renamable(at: position) else {
      throw FeatureError(message: "no name here can be renamed")
    }
    guard Self.isName(name, of: occurrence.kind) else {
      throw FeatureError(
        message: "\"\(name)\" cannot be the name of a \(occurrence.kind.word): write letters, "
          + "digits and _, and begin with a letter")
    }
    var index = NameIndex(workspace)
    let scenario = occurrence.scenario
    let known = index.definitions(
      of: occurrence.kind, from: document.path, scenario: scenario, owner: occurrence.owner)
    guard name == occurrence.name || !known.contains(where: { $0.occurrence.name == name }) else {
      throw FeatureError(message: "the \(occurrence.kind.word) \"\(name)\" exists already")
    }
    var changes: OrderedDictionary<String, [Value]> = [:]
    for found in index.references(of: occurrence, in: document.path) {
      guard let range = index.range(of: found, encoding) else { continue }
      changes[workspace.address(of: found.path), default: []].append(
        .object(["range": range.value, "newText": .string(name)]))
    }
    return .object(["changes": .map(changes.mapValues { .list($0) })])
  }

  /// Returns whether a text is a valid name: one that expressions use must be a word; the rest may
  /// have hyphens as well.
  private static func isName(_ name: String, of kind: NameKind) -> Bool {
    guard let first = name.unicodeScalars.first, first.isASCII,
      first == "_" || first.properties.isAlphabetic
    else { return false }
    let takesHyphens = kind.expressionRoot == nil
    return name.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        && (scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          || takesHyphens && scalar == "-")
    }
  }
}
