internal import FoundationEssentials
internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import ScenarioModel
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
    var digest = ContentDigest()
    digest.add(stem.utf8)
    if let data = try? Self.encoder.encode(plain) {
      digest.add(ExplorationIdentity.withoutRanges(Array(data)))
    }
    return String(digest.value, radix: 36)
  }

  /// The line in front of a scenario that an exploration has written, and that was not edited.
  private struct Mark {
    /// The exploration's identity.
    var series: String
    /// The call that fails, and how; empty where older versions have not written it.
    var deed: String
    /// The identity of the fault; `nil` where older versions have not written it.
    var fault: String?
  }

  /// The text of a scenario with the line in front by which it is known: whose it is, a digest of the text,
  /// which call fails how, and the fault's identity.
  ///
  /// One that stands there already stays that of the exploration that has written it first.
  ///
  /// - Parameter path: where it is to stand.
  func marked(_ text: String, _ trial: ExplorationTrial, at path: String) -> String {
    let words = [
      mark(of: path)?.series ?? series, Self.digest(of: text), Self.deed(trial),
      identity(of: trial),
    ]
    return "\(Self.marker)\(words.joined(separator: " "))\n\(text)"
  }

  /// The identity of a fault at a point, whichever exploration of the case finds it.
  private func identity(of trial: ExplorationTrial) -> String {
    var digest = ContentDigest()
    digest.add(
      "\(stem) \(trial.point.call) \(trial.point.occurrence) \(trial.fault.word) \(trial.fault.mode.rawValue)"
        .utf8)
    if exploration.surveys.indices.contains(trial.point.entry),
      let data = try? Self.encoder.encode(exploration.surveys[trial.point.entry])
    {
      digest.add(ExplorationIdentity.withoutRanges(Array(data)))
    }
    return String(digest.value, radix: 36)
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return encoder
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
      guard !kept.contains(path), let mark = mark(of: path), mark.series == series else { continue }
      let deed = mark.deed
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

  /// Returns whether a file is not one that a finding may replace: that of another fault of another exploration, or
  /// one that was edited.
  func isForeign(_ path: String, to trial: ExplorationTrial) -> Bool {
    guard FileStatus(entry: path) != nil else { return false }
    guard let mark = mark(of: path) else { return true }
    return mark.series != series && mark.fault != identity(of: trial)
  }

  /// Returns the mark of a scenario that an exploration has written and that was not edited; `nil` for another file.
  private func mark(of path: String) -> Mark? {
    guard FileStatus(entry: path)?.isRegular ?? false,
      let bytes = try? FileTree.read(path, limit: 1 << 20)
    else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.firstIndex(of: "\n"), text.hasPrefix(Self.marker) else { return nil }
    let words = text[..<end].dropFirst(Self.marker.count).split(separator: " ").map(String.init)
    guard words.count > 1, words[1] == Self.digest(of: text[end...].dropFirst()) else { return nil }
    return Mark(
      series: words[0], deed: words.dropFirst(2).prefix(2).joined(separator: " "),
      fault: words.count > 4 ? words[4] : nil)
  }
}
