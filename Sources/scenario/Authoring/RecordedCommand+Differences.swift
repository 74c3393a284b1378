internal import ScenarioRunner
internal import ScenarioTools

extension RecordedCommand {
  /// A difference of another run.
  struct Difference {
    /// The difference, in a line.
    var text: String
    /// The number of lines that differ.
    var lines = 1
  }

  /// Compares another run; empty if it was the same, but for the order of lines.
  func differences(from again: WatchedRun.Seen) -> [Difference] {
    var found: [Difference] = []
    if seen.ending != again.ending {
      func words(_ ending: CommandTemplate.Ending?) -> String {
        ending.map { NewCommand.words(for: $0) } ?? "not at all"
      }
      found.append(
        Difference(
          text: "it ended \(words(again.ending)), but \(words(seen.ending)) in the recorded run"))
    }
    compare("stdout", seen.output, again.output, again, &found)
    compare("stderr", seen.errorOutput, again.errorOutput, again, &found)
    for path in changedPaths {
      guard let real = seen.files[path], let replayed = again.files[path] else { continue }
      let links = (
        real.linkAfter.map { text($0, seen) }, replayed.linkAfter.map { text($0, again) }
      )
      if links.0 != links.1 {
        found.append(Difference(text: "\(path) has another link target than in the recorded run"))
        continue
      }
      switch (real.after, replayed.after) {
      case (nil, nil): break
      case (nil, _?):
        found.append(Difference(text: "\(path) exists, but did not in the recorded run"))
      case (_?, nil):
        found.append(Difference(text: "\(path) does not exist, but did in the recorded run"))
      case (let real?, let replayed?): compare(path, real, replayed, again, &found)
      }
    }
    return found
  }

  private func compare(
    _ name: String, _ real: [UInt8], _ replayed: [UInt8], _ again: WatchedRun.Seen,
    _ found: inout [Difference]
  ) {
    guard real != replayed else { return }
    guard Self.text(real) != nil, Self.text(replayed) != nil else {
      let place = zip(real, replayed).prefix { $0 == $1 }.count
      found.append(
        Difference(
          text: "\(name) differs from byte \(place + 1) on: \(replayed.count) bytes, but"
            + " \(real.count) in the recorded run"))
      return
    }
    let lines = text(real, seen).linesOfText
    let others = text(replayed, again).linesOfText
    // Expectations leave one final newline aside, and the order where that changes.
    guard lines != others, lines.sorted() != others.sorted() else { return }
    let index = zip(lines, others).prefix { $0 == $1 }.count
    func quoted(_ lines: [Substring]) -> String {
      guard index < lines.count else { return "missing" }
      let line = lines[index].prefix(80)
      let end = line.count < lines[index].count ? "…" : ""
      return "\"\(PlaceMark.shown(String(line)))\(end)\""
    }
    let more = zip(lines, others).dropFirst(index + 1).count { $0 != $1 }
    found.append(
      Difference(
        text:
          "\(name), line \(index + 1), is \(quoted(others)), but was \(quoted(lines)) in the recorded run"
          + (more > 0 ? "; \(more) more line\(more == 1 ? "" : "s") differ" : ""),
        lines: 1 + more + abs(lines.count - others.count)))
  }
}

extension String {
  /// The lines, without an empty one behind the final newline.
  fileprivate var linesOfText: [Substring] {
    let lines = split(separator: "\n", omittingEmptySubsequences: false)
    return lines.last?.isEmpty == true ? lines.dropLast() : lines
  }
}
