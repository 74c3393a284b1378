internal import FoundationEssentials
internal import Glibc
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan

extension CaseExplorer {
  /// What the line begins with by which a scenario is known as one of ours, and unchanged.
  private static let marker = "# explored: "

  /// What the scenarios of this exploration have in common: the case, and which faults are tried.
  private var series: String {
    var plain = exploration
    plain.runLimit = nil
    plain.timeLimit = nil
    plain.folder = ""
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    var digest = ContentDigest()
    digest.add(stem.utf8)
    if let data = try? encoder.encode(plain) {
      digest.add(ExplorationIdentity.withoutRanges(Array(data)))
    }
    return String(digest.value, radix: 36)
  }

  /// The text of a scenario with the line in front by which it is known.
  func marked(_ text: String) -> String {
    "\(Self.marker)\(series) \(Self.digest(of: text))\n\(text)"
  }

  private static func digest(of text: some StringProtocol) -> String {
    String(ContentDigest.of(text.utf8), radix: 36)
  }

  /// Removes the scenarios that the same exploration has written before and that it has not found again;
  /// one that somebody has changed since stays.
  func removeMended(but found: [DescribedFinding]) {
    let kept = Set(found.compactMap(\.path))
    var removed: [String] = []
    for entry in FileTree.entries(of: exploration.folder) where entry.name.hasSuffix(".yaml") {
      let path = "\(exploration.folder)/\(entry.name)"
      guard !kept.contains(path), isOurs(path), unlink(path) == 0 else { continue }
      removed.append(entry.name)
    }
    guard let first = removed.min() else { return }
    let more = removed.count > 1 ? " and \(removed.count - 1) more" : ""
    emit(
      .warning(
        "not found any more, and removed from \"\(exploration.folder)\": \(first)\(more)",
        range: exploration.range))
  }

  private func isOurs(_ path: String) -> Bool {
    guard FileStatus(entry: path)?.isRegular ?? false,
      let bytes = try? FileTree.read(path, limit: 1 << 20)
    else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.firstIndex(of: "\n") else { return false }
    return text[..<end] == "\(Self.marker)\(series) \(Self.digest(of: text[end...].dropFirst()))"
  }
}
