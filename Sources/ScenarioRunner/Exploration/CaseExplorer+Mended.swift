internal import FoundationEssentials
internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import ScenarioPlan
internal import ScenarioTools

extension CaseExplorer {
  /// The beginning of the line by which a scenario is known as one of ours, and unchanged.
  private static let marker = "# explored: "

  /// The identity of this exploration's scenarios: the case, and the faults that are tried.
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

  /// The text of a scenario with the line in front by which it is known: whose it is, a digest of the text,
  /// and which call fails how.
  func marked(_ text: String, _ trial: ExplorationTrial) -> String {
    "\(Self.marker)\(series) \(Self.digest(of: text)) \(Self.deed(trial))\n\(text)"
  }

  private static func deed(_ trial: ExplorationTrial) -> String {
    "\(trial.point.call) \(trial.fault.word)"
  }

  private static func digest(of text: some StringProtocol) -> String {
    String(ContentDigest.of(text.utf8), radix: 36)
  }

  /// Removes the scenarios that the same exploration has written before and that it has not found
  /// again.
  ///
  /// A scenario that was edited since then stays; so does one whose fault could not be judged at
  /// some point this time, because it may still fail.
  func removeMended(but found: [DescribedFinding]) {
    let kept = Set(found.compactMap(\.path))
    let unjudged = Set(
      results.filter { [.unreached, .unstable, .undecided].contains($0.judgement.verdict) }
        .map { Self.deed($0.trial) })
    var removed: [String] = []
    var spared: [String] = []
    for entry in FileTree.entries(of: exploration.folder) where entry.name.hasSuffix(".yaml") {
      let path = "\(exploration.folder)/\(entry.name)"
      guard !kept.contains(path), let deed = deed(ofOwn: path) else { continue }
      guard deed.isEmpty ? unjudged.isEmpty : !unjudged.contains(deed) else {
        spared.append(entry.name)
        continue
      }
      guard unlink(path) == 0 else { continue }
      removed.append(entry.name)
    }
    report(removed, "no longer found, and removed from")
    report(
      spared, "not found again, but kept because not all of their faults could be judged, in")
  }

  private func report(_ names: [String], _ words: String) {
    guard let first = names.min() else { return }
    let more = names.count > 1 ? " and \(names.count - 1) more" : ""
    emit(
      .warning("\(words) \"\(exploration.folder)\": \(first)\(more)", range: exploration.range))
  }

  /// Returns whether a file was not written by this exploration, or was edited since.
  func isForeign(_ path: String) -> Bool {
    FileStatus(entry: path) != nil && deed(ofOwn: path) == nil
  }

  /// Returns the call and its fault in a scenario that this exploration has written and that was
  /// not edited; `nil` for another file.
  private func deed(ofOwn path: String) -> String? {
    guard FileStatus(entry: path)?.isRegular ?? false,
      let bytes = try? FileTree.read(path, limit: 1 << 20)
    else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.firstIndex(of: "\n") else { return nil }
    let beginning = "\(Self.marker)\(series) \(Self.digest(of: text[end...].dropFirst()))"
    guard text[..<end].hasPrefix(beginning) else { return nil }
    let rest = text[..<end].dropFirst(beginning.count)
    guard rest.isEmpty || rest.hasPrefix(" ") else { return nil }
    return String(rest.dropFirst())
  }
}
