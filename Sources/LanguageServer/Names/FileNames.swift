internal import Foundations
internal import ScenarioSyntax

/// The names of one file, and the place of each.
struct FileNames: Sendable {
  /// The occurrences, in file order as far as aliases allow.
  private(set) var occurrences: [NameOccurrence] = []
  /// The tree that they were found in; `nil` if the text could not be read at all.
  private(set) var tree: YAMLNode?
  /// The files that it uses, as it names them.
  var uses: [NameOccurrence] { occurrences.filter { $0.kind == .file && $0.key == Self.useKey } }
  /// The definitions of the text before, while the text cannot be read to its end.
  private(set) var remembered: [NameOccurrence] = []

  private static let useKey = "include"

  /// Finds the names of a text.
  ///
  /// - Parameter before: What was known of the text before.
  init(of source: SourceText, before: FileNames?) {
    let read = LanguagePlace.tree(of: source)
    tree = read?.node
    var finder = NameFinder(source: source)
    if let tree { finder.walk(tree, at: .file) }
    var seen: Set<NameOccurrence> = []
    occurrences = finder.occurrences.filter { seen.insert($0).inserted }
    guard read?.isWhole != true, let before else { return }
    remembered = (before.occurrences + before.remembered).filter { old in
      old.isDefinition
        && !occurrences.contains { $0.isDefinition && $0.kind == old.kind && $0.name == old.name }
    }
  }
}

extension FileNames {
  /// The definitions that a place can call, those of its own scenario first; each name once.
  func definitions(
    of kind: NameKind, inScenario scenario: Int?, owners: Set<String>? = nil
  ) -> [NameOccurrence] {
    var names: Set<String> = []
    let all = (occurrences + remembered).filter { occurrence in
      occurrence.isDefinition && occurrence.kind == kind
        && (occurrence.scenario == nil || occurrence.scenario == scenario)
        && (owners.map { own in occurrence.owner.map(own.contains) ?? false } ?? true)
    }
    return (all.filter { $0.scenario != nil } + all.filter { $0.scenario == nil })
      .filter { names.insert($0.name).inserted }
  }

  /// The names of a factory and of those that it extends, whatever name it is called by.
  func lineage(of factory: String) -> [String] {
    var chain: [String] = []
    var next: String? = factory
    while let name = next, chain.count < 64 {
      let alias = occurrences.first {
        $0.kind == .factory && $0.isDefinition && $0.name == name && $0.owner != nil
      }
      let own = alias?.owner ?? name
      guard !chain.contains(own) else { break }
      chain.append(own)
      next =
        occurrences.first {
          $0.kind == .factory && !$0.isDefinition && $0.owner == own && $0.key == "extends"
        }?.name
    }
    return chain
  }

  /// The occurrence that covers an offset; at a name's end it counts as well.
  func occurrence(at offset: Int, in text: DocumentText, _ source: SourceText) -> NameOccurrence? {
    occurrences.first { occurrence in
      text.offsets(of: occurrence.range, in: source).map {
        $0.lowerBound <= offset && offset <= $0.upperBound
      } ?? false
    }
  }
}
