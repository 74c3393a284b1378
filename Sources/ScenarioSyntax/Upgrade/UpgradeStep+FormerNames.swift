internal import Foundations

extension UpgradeStep {
  /// Version 2 calls keys and words otherwise; the grammar knows both names.
  static let toSecondVersion = UpgradeStep(version: 1) { document in
    var decoder = ScenarioDecoder(source: document.source, diagnostics: [])
    _ = decoder.decodeFile(document.root)
    return decoder.sortedDiagnostics.filter { $0.code == .formerName }.compactMap(\.fix).map {
      var range = $0.start
      range.length = $0.length
      return TextEdit(range: range, replacement: $0.text)
    }
  }
}
