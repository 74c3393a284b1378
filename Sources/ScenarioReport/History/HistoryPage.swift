internal import Cryptography
internal import Foundations
internal import ScenarioEvents

/// A history as a page for a browser: one file that loads nothing and needs no script.
package struct HistoryPage {
  private let report: HistoryReport
  /// The maximum number of lines of each list but that of all cases.
  private let limit: Int
  private var body = XMLText.part()
  /// The number of runs that the line of a case shows.
  private static let dotCount = 40
  /// The columns that hold no numbers.
  private static let textColumns: Set<String> = [
    "case", "run", "commit", "report", "state", "first bad run", "passed before in",
    "passes again since", "last runs",
  ]
  /// The number of runs whose bars are drawn.
  private static let barCount = 100

  /// Shows a report.
  ///
  /// - Parameter limit: how many lines each list has at most; that of all cases has all.
  package init(_ report: HistoryReport, limit: Int) {
    self.report = report
    self.limit = limit
  }

  private var runs: [History.Run] { report.history.runs }

  /// The whole document.
  package func document() -> String {
    var page = self
    page.writeBody()
    let hash = Base64.encoded(Self.bytes(hexadecimal: SecureDigest.sha256(Self.style.utf8)))
    let policy =
      "default-src 'none'; style-src 'sha256-\(hash)'; base-uri 'none'; form-action 'none'"
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="referrer" content="no-referrer">
      <title>scenario history</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      \(String(decoding: page.body.bytes, as: UTF8.self))
      </body>
      </html>

      """
  }

  // MARK: - Sections

  private mutating func writeBody() {
    let history = report.history
    body.open("main")
    body.element("h1", text: "History")
    var line = "\(runs.count) runs, \(history.cases.count) cases"
    if let first = runs.first, let last = runs.last, runs.count > 1 {
      line += ", from \(first.title) to \(last.title)"
    }
    body.element("p", text: line)
    if report.unversionedCount > 0 {
      body.element(
        "p", [("class", "quiet")],
        text:
          "\(report.unversionedCount) runs have no commit: only retries show flaky cases there.")
    }
    writeLinks()
    writeBars()
    writeFailures("new", "New failures", report.newFailures)
    writeFailures("failing", "Failing in every run", report.failing)
    writeFlaky()
    writeFixed()
    writeTimes("slowest", "Slowest", report.slowest)
    writeTimes("slower", "Slower than before", report.slower)
    writeRuns()
    writeCases()
    body.close("main")
  }

  private mutating func writeLinks() {
    body.open("nav", [("aria-label", "sections")])
    body.open("ul")
    for (name, title, count) in [
      ("new", "new failures", report.newFailures.count),
      ("failing", "always failing", report.failing.count),
      ("flaky", "flaky", report.flaky.count), ("fixed", "fixed", report.fixed.count),
      ("slowest", "slowest", report.slowest.count), ("slower", "slower", report.slower.count),
      ("runs", "runs", runs.count), ("cases", "all cases", report.history.cases.count),
    ] where count > 0 {
      body.open("li")
      body.element("a", [("href", "#\(name)")], text: "\(title) (\(count))")
      body.close("li")
    }
    body.close("ul")
    body.close("nav")
  }

  /// Draws a bar for each of the last runs: what passed below, what did not above.
  private mutating func writeBars() {
    let shown = runs.suffix(Self.barCount)
    let most = shown.map(\.caseCount).max() ?? 0
    guard most > 0 else { return }
    let (width, height) = (8, 80)
    body.open(
      "svg",
      [
        ("role", "img"), ("class", "bars"), ("width", "\(shown.count * width)"),
        ("height", "\(height)"),
        (
          "aria-label",
          "results of the cases of the last \(shown.count) runs; the table of runs has the same data"
        ),
      ])
    for (index, run) in shown.enumerated() {
      var top = Double(height)
      body.open("g")
      body.element("title", text: "\(run.title) \(run.shortCommit): \(Self.counts(run))")
      for (count, name) in [
        (run.passed - run.retried, "passed"), (run.retried, "flaky"), (run.skipped, "skipped"),
        (run.errored, "errored"), (run.failed, "failed"),
      ] where count > 0 {
        let part = Double(count) / Double(most) * Double(height)
        top -= part
        body.empty(
          "rect",
          [
            ("class", name), ("x", "\(index * width)"), ("y", Self.decimal(top)),
            ("width", "\(width - 1)"), ("height", Self.decimal(part)),
          ])
      }
      body.close("g")
    }
    body.close("svg")
  }

  private mutating func writeFailures(_ id: String, _ title: String, _ cases: [CaseHistory]) {
    writeTable(
      id, title, cases, ["case", "first bad run", "commit", "passed before in", "last runs"]
    ) { page, found in
      let bad = found.firstBad.map { page.runs[$0.run] }
      let good = found.lastGood.map { page.runs[$0.run] }
      page.writeName(found, message: found.lastBad?.message)
      page.writeCell(bad?.title ?? "")
      page.writeCell(bad?.shortCommit ?? "", "mono")
      page.writeCell(good.map { "\($0.title) \($0.shortCommit)" } ?? "never")
      page.writeDots(found)
    }
  }

  private mutating func writeFlaky() {
    writeTable("flaky", "Flaky", report.flaky, ["case", "rate", "flaky", "runs", "last runs"]) {
      page, found in
      page.writeName(
        found,
        message: found.observations.indices.last { found.flakes.contains($0) }
          .flatMap { found.observations[$0].message })
      page.writeCell(found.flakyRate.percentText, "number")
      page.writeCell("\(found.flakes.count)", "number")
      page.writeCell("\(found.decidedCount)", "number")
      page.writeDots(found)
    }
  }

  private mutating func writeFixed() {
    writeTable(
      "fixed", "Fixed", report.fixed, ["case", "passes again since", "commit", "last runs"]
    ) {
      page, found in
      let good = found.lastGood.map { page.runs[$0.run] }
      page.writeName(found, message: nil)
      page.writeCell(good?.title ?? "")
      page.writeCell(good?.shortCommit ?? "", "mono")
      page.writeDots(found)
    }
  }

  private mutating func writeTimes(_ id: String, _ title: String, _ cases: [CaseHistory]) {
    let columns = [
      "case", "median", "worst", "last 5", "before", "virtual median", "virtual worst",
    ]
    writeTable(id, title, cases, columns) { page, found in
      page.writeName(found, message: nil)
      page.writeTimes(found)
    }
  }

  private mutating func writeRuns() {
    writeTable(
      "runs", "Runs", runs.reversed(),
      ["run", "commit", "passed", "failed", "errored", "skipped", "retried", "time", "report"]
    ) { page, run in
      page.writeHeading(run.title)
      page.writeCell(run.shortCommit, "mono")
      for count in [run.passed, run.failed, run.errored, run.skipped, run.retried] {
        page.writeCell("\(count)", "number")
      }
      page.writeCell(Self.time(run.duration), "number")
      page.writeCell(run.source + (run.isCutOff ? " (cut off)" : ""), "mono")
    }
  }

  private mutating func writeCases() {
    let columns = [
      "case", "state", "flaky rate", "median", "worst", "last 5", "before", "virtual median",
      "virtual worst", "last runs",
    ]
    writeTable("cases", "All cases", report.history.cases, columns, limit: .max) { page, found in
      page.writeName(found, message: nil)
      page.writeCell(found.state.rawValue, "state \(found.state.rawValue)")
      page.writeCell(found.flakes.isEmpty ? "" : found.flakyRate.percentText, "number")
      page.writeTimes(found)
      page.writeDots(found)
    }
  }

  // MARK: - Parts

  /// Writes a section with a table, if there is a line for it.
  private mutating func writeTable<Row>(
    _ id: String, _ title: String, _ rows: [Row], _ columns: [String], limit: Int? = nil,
    _ write: (inout HistoryPage, Row) -> Void
  ) {
    guard !rows.isEmpty else { return }
    let shown = rows.prefix(limit ?? self.limit)
    let count = shown.count < rows.count ? "\(shown.count) of \(rows.count)" : "\(rows.count)"
    body.open("section", [("aria-labelledby", id)])
    body.element("h2", [("id", id)], text: "\(title) (\(count))")
    // What is wider than a phone is moved within itself, also by keys.
    body.open(
      "div", [("class", "wide"), ("tabindex", "0"), ("role", "region"), ("aria-labelledby", id)])
    body.open("table")
    body.open("thead")
    body.open("tr")
    for column in columns {
      let style = Self.textColumns.contains(column) ? [] : [("class", "number")]
      body.element("th", [("scope", "col")] + style, text: column)
    }
    body.close("tr")
    body.close("thead")
    body.open("tbody")
    for row in shown {
      body.newLine(0)
      body.open("tr")
      write(&self, row)
      body.close("tr")
    }
    body.close("tbody")
    body.close("table")
    body.close("div")
    body.close("section")
    body.newLine(0)
  }

  private mutating func writeName(_ found: CaseHistory, message: String?) {
    body.open("th", [("scope", "row")])
    if !found.identity.place.isEmpty {
      body.element("span", [("class", "quiet")], text: found.identity.place + " › ")
    }
    body.text(found.identity.name)
    if let message { body.element("div", [("class", "message")], text: message) }
    body.close("th")
  }

  private mutating func writeHeading(_ text: String) {
    body.element("th", [("scope", "row")], text: text)
  }

  private mutating func writeCell(_ text: String, _ style: String = "") {
    body.element("td", style.isEmpty ? [] : [("class", style)], text: text)
  }

  private mutating func writeTimes(_ found: CaseHistory) {
    let (times, virtual) = (found.times, found.virtualTimes)
    let hasVirtual = virtual.worst > .zero
    for text in [
      Self.time(times.median), Self.time(times.worst), times.recent.map(Self.time) ?? "",
      times.before.map(Self.time) ?? "", hasVirtual ? virtual.median.description : "",
      hasVirtual ? virtual.worst.description : "",
    ] {
      writeCell(text, "number")
    }
  }

  /// Writes one letter for each of the last runs; neighbours that ended alike share an element.
  private mutating func writeDots(_ found: CaseHistory) {
    let dots = found.observations.suffix(Self.dotCount).map(\.dot)
    body.open("td", [("class", "dots")])
    var rest = dots[...]
    while let first = rest.first {
      let alike = rest.prefix { $0 == first }
      rest = rest.dropFirst(alike.count)
      body.element("span", [("class", Self.style(of: first))], text: String(alike))
    }
    body.close("td")
  }

  private static func style(of dot: Character) -> String {
    switch dot {
    case "F": "failed"
    case "E": "errored"
    case "f": "flaky"
    case "s", "?": "skipped"
    default: "passed"
    }
  }

  private static func counts(_ run: History.Run) -> String {
    "\(run.passed) passed, \(run.failed) failed, \(run.errored) errored, \(run.skipped) skipped"
  }

  private static func bytes(hexadecimal text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }

  private static func time(_ length: Nanoseconds) -> String { DurationText.seconds(length) + "s" }

  /// A number with one decimal.
  private static func decimal(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
  }

  private static let style = """
    :root { color-scheme: light dark; --paper: #fdfdfc; --ink: #1f2328; --quiet: #5b626b; --line: #d8d8d2; \
    --accent: #2458b8; --passed: #1a6b3c; --failed: #b3261e; --errored: #8a4b00; --flaky: #6d3fb5; }
    @media (prefers-color-scheme: dark) { :root { --paper: #16181b; --ink: #e4e6e9; --quiet: #a2aab4; \
    --line: #31363c; --accent: #8ab4f8; --passed: #6fcf97; --failed: #ff9a92; --errored: #f0b866; --flaky: #c7a6ff; } }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; }
    main { max-width: 1180px; margin: 0 auto; padding: 8px 20px 60px; }
    h1 { font-size: 22px; } h2 { font-size: 17px; margin: 32px 0 8px; }
    a { color: var(--accent); }
    nav ul { display: flex; flex-wrap: wrap; gap: 4px 16px; list-style: none; padding: 0; }
    .wide { overflow-x: auto; } .wide:focus-visible { outline: 2px solid var(--accent); }
    table { border-collapse: collapse; min-width: 100%; }
    th, td { text-align: left; vertical-align: top; padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); font-weight: normal; }
    tbody th { overflow-wrap: anywhere; min-width: 16em; } td { white-space: nowrap; }
    thead th, .quiet, .message { color: var(--quiet); }
    .number { text-align: right; font-variant-numeric: tabular-nums; }
    .mono, .dots, .message { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 13px; }
    .message { white-space: pre-wrap; overflow-wrap: anywhere; }
    .passed { color: var(--passed); fill: var(--passed); } .failed { color: var(--failed); fill: var(--failed); }
    .errored { color: var(--errored); fill: var(--errored); } .flaky { color: var(--flaky); fill: var(--flaky); }
    .skipped { color: var(--quiet); fill: var(--line); } .failed, .errored { font-weight: 700; }
    .bars { max-width: 100%; display: block; }
    """
}
