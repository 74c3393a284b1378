internal import Foundations
internal import ScenarioModel

extension ScenarioFile {
  /// Warnings of scenarios whose `network:` replaces that of the file's top and does not say all that it says.
  ///
  /// Most other settings are joined key by key, so that it is easily overlooked; from version 2 of the language on all are.
  var lostNetwork: [Diagnostic] {
    guard defaults.addsExpectations, let top = defaults.network, !top.keys.isEmpty else {
      return []
    }
    // A body is large, and a file may have many: none is copied.
    return scenarios.indices.compactMap { index in
      guard let own = scenarios[index].body.network, let range = own.range, !own.keys.isEmpty
      else { return nil }
      let said = Set(own.keys.map(\.value)).union(top.usualKeys)
      let lost = top.keys.filter { !said.contains($0.value) }
      guard let first = lost.first else { return nil }
      let names = lost.map { "\"\($0.value)\"" }.joined(separator: ", ")
      let name = scenarios[index].name.value
      return Diagnostic(
        "\"network\" of the scenario \"\(name)\" replaces that of the file and does not set \(names)",
        code: .lostSetting, at: range,
        help: "repeat the keys that must apply: \(lost.map(\.value).joined(separator: ", "))",
        notes: [Diagnostic.Note("\"\(first.value)\" is set here", at: first.range)])
    }
  }
}

extension NetworkSettings {
  /// The keys that say what holds anyhow.
  fileprivate var usualKeys: [String] {
    (loopback?.value == .open ? ["loopback"] : []) + (mode?.value == .offline ? ["mode"] : [])
      + (unused?.value == .fail ? ["unused"] : [])
  }
}
