internal import Foundations
internal import ScenarioEvents

/// A history as a terminal shows it.
package struct HistoryText {
  private let report: HistoryReport
  private let palette: TerminalPalette
  /// The maximum number of lines of each list.
  private let limit: Int
  /// The number of runs that the line of a case shows.
  private static let dotCount = 20

  /// Shows a report.
  ///
  /// - Parameter limit: how many lines each list has at most.
  package init(_ report: HistoryReport, usesColour: Bool, limit: Int) {
    self.report = report
    self.limit = limit
    palette = TerminalPalette(isColoured: usesColour)
  }

  private var runs: [History.Run] { report.history.runs }

  /// The whole text, with a final newline.
  package var text: String {
    var sections = [summary, runTable]
    sections.append(failures("new failures", report.newFailures))
    sections.append(failures("failing in every run", report.failing))
    sections.append(flaky)
    sections.append(fixed)
    sections.append(slow("slowest", report.slowest))
    sections.append(slow("slower than before", report.slower))
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }

  // MARK: - Runs

  private var summary: [String] {
    let history = report.history
    var line = "\(Self.count(runs.count, "run")), \(Self.count(history.cases.count, "case"))"
    for (count, word) in [
      (report.newFailures.count, "newly failing"), (report.failing.count, "failing in every run"),
      (report.flaky.count, "flaky"), (report.fixed.count, "fixed"),
    ] where count > 0 {
      line += ", \(count) \(word)"
    }
    var lines = [palette.bold(line)]
    if history.undatedCount > 0 {
      lines.append(
        "\(Self.count(history.undatedCount, "run")) without a start time: in the order of the files"
      )
    }
    if report.unversionedCount > 0 {
      lines.append(
        "\(Self.count(report.unversionedCount, "run")) without a commit: only retries show flaky cases there"
      )
    }
    if history.doubleCount > 0 {
      lines.append(
        "\(Self.count(history.doubleCount, "report")) duplicated others and did not count")
    }
    return lines
  }

  private var runTable: [String] {
    let shown = Array(runs.suffix(limit).reversed())
    var table = HistoryTable([
      ("run", .leading), ("commit", .leading), ("passed", .trailing), ("failed", .trailing),
      ("errored", .trailing), ("skipped", .trailing), ("retried", .trailing), ("time", .trailing),
      ("report", .leading),
    ])
    for run in shown {
      table.add([
        run.title, run.shortCommit, "\(run.passed)", "\(run.failed)", "\(run.errored)",
        "\(run.skipped)", "\(run.retried)", Self.time(run.duration),
        run.source + (run.isCutOff ? " (cut off)" : ""),
      ])
    }
    return list("runs", runs.count, table)
  }

  // MARK: - Cases

  private func failures(_ title: String, _ cases: [CaseHistory]) -> [String] {
    guard !cases.isEmpty else { return [] }
    var table = HistoryTable([
      ("first bad run", .leading), ("commit", .leading), ("passed before in", .leading),
      ("last runs", .leading), ("case", .leading),
    ])
    for found in cases.prefix(limit) {
      let bad = found.firstBad.map { runs[$0.run] }
      let good = found.lastGood.map { runs[$0.run] }
      let goodText = good.map { $0.title + ($0.commit == nil ? "" : " \($0.shortCommit)") }
      table.add(
        [
          bad?.title ?? "", bad?.shortCommit ?? "", goodText ?? "never", dots(found),
          name(found) + missed(found),
        ], below: found.lastBad?.message)
    }
    return list(title, cases.count, table)
  }

  private var flaky: [String] {
    guard !report.flaky.isEmpty else { return [] }
    var table = HistoryTable([
      ("rate", .trailing), ("flaky", .trailing), ("runs", .trailing), ("last runs", .leading),
      ("case", .leading),
    ])
    for found in report.flaky.prefix(limit) {
      table.add(
        [
          found.flakyRate.percentText, "\(found.flakes.count)", "\(found.decidedCount)",
          dots(found), name(found) + missed(found),
        ],
        below: found.observations.indices.last { found.flakes.contains($0) }
          .flatMap { found.observations[$0].message })
    }
    return list("flaky", report.flaky.count, table)
  }

  private var fixed: [String] {
    guard !report.fixed.isEmpty else { return [] }
    var table = HistoryTable([
      ("passes again since", .leading), ("commit", .leading), ("last runs", .leading),
      ("case", .leading),
    ])
    for found in report.fixed.prefix(limit) {
      let good = found.lastGood.map { runs[$0.run] }
      table.add([good?.title ?? "", good?.shortCommit ?? "", dots(found), name(found)])
    }
    return list("fixed", report.fixed.count, table)
  }

  private func slow(_ title: String, _ cases: [CaseHistory]) -> [String] {
    guard !cases.isEmpty else { return [] }
    var table = HistoryTable([
      ("median", .trailing), ("worst", .trailing), ("last 5", .trailing), ("before", .trailing),
      ("virtual", .trailing), ("worst", .trailing), ("case", .leading),
    ])
    for found in cases.prefix(limit) {
      let (times, virtual) = (found.times, found.virtualTimes)
      let hasVirtual = virtual.worst > .zero
      table.add([
        Self.time(times.median), Self.time(times.worst), times.recent.map(Self.time) ?? "",
        times.before.map(Self.time) ?? "", hasVirtual ? virtual.median.description : "",
        hasVirtual ? virtual.worst.description : "", name(found),
      ])
    }
    return list(title, cases.count, table)
  }

  // MARK: - Parts

  private func list(_ title: String, _ count: Int, _ table: HistoryTable) -> [String] {
    let shown = min(count, limit)
    let title = shown < count ? "\(title) (\(shown) of \(count))" : "\(title) (\(count))"
    return [palette.bold(title)] + table.lines(palette)
  }

  private func dots(_ found: CaseHistory) -> String {
    String(found.observations.suffix(Self.dotCount).map(\.dot))
  }

  private func name(_ found: CaseHistory) -> String {
    let place = found.identity.place
    return place.isEmpty ? found.identity.name : "\(place) › \(found.identity.name)"
  }

  /// A word about a case that the latest runs did not have.
  private func missed(_ found: CaseHistory) -> String {
    let missed = runs.count - 1 - (found.latest?.run ?? 0)
    return missed == 0 ? "" : " (not in the last \(missed == 1 ? "run" : "\(missed) runs"))"
  }

  private static func time(_ length: Nanoseconds) -> String { DurationText.seconds(length) + "s" }

  private static func count(_ count: Int, _ word: String) -> String {
    "\(count) \(word)\(count == 1 ? "" : "s")"
  }
}
