internal import Foundations
package import ScenarioEvents

/// Writes one page that opens offline: the list of all cases, and each with the timeline of its world.
///
/// A case goes to the sink as soon as it has ended; what stays in memory is what the list shows of it.
package final class PageRecorder: EventRecorder {
  /// The number of bytes of cases in one element: the page reads one when a case of it is opened.
  private static let chunkSize = 256 << 10

  private let sink: any ReportSink
  private let folder: String?
  private let reproduces: Bool
  private let round: Int?
  private let running: Set<String>
  private let passed: (_ identifier: String) -> String?
  /// The cases that did not pass.
  private var bad: [String] = []
  private let renderer: FailureRenderer
  private var sources: PageSources
  private var error: ReportError?
  private var hasBegun = false
  private var description: RunDescription?
  private var result: RunResult?
  private var failures: [Failure] = []
  private var latest = Nanoseconds.zero
  private var open: [String: PageCase] = [:]
  private var summaries: [(index: Int, order: Int, json: String)] = []
  /// The chunk that is being written: its number, its cases, its bytes.
  private var chunk = (number: 0, cases: 0, bytes: 0)

  /// Creates a recorder.
  ///
  /// - Parameters:
  ///   - sink: Where the page goes.
  ///   - path: The page's own absolute path, from which it links to files; `nil` if it has none.
  ///   - round: The number of the page, if it follows runs as `scenario ui` serves it; `nil` if it does not.
  ///   - running: The cases that still run, of those that have not ended.
  ///   - passed: What `PassedCaseRecorder` has handed over of a case, to which it is compared if it does not pass; `nil`
  ///     if there is nothing.
  ///   - reproduces: Whether `scenario run` makes a case fail again; if so, the command is reported.
  ///   - sources: The text of a scenario file by its path, for the excerpts; `nil` if it is not known.
  package init(
    sink: any ReportSink, path: String? = nil, round: Int? = nil, running: Set<String> = [],
    reproduces: Bool = true,
    passed: @escaping (_ identifier: String) -> String? = { _ in nil },
    sources: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.sink = sink
    folder = path.flatMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } }
    self.reproduces = reproduces
    self.round = round
    self.running = running
    self.passed = passed
    renderer = FailureRenderer(isColoured: false, sources: sources)
    self.sources = PageSources(sources)
  }

  /// Records one event.
  package func record(_ event: Event) {
    latest = max(latest, event.realTime)
    sources.add(event)
    switch event.kind {
    case .runStarted(let description): self.description = description
    case .runFinished(let result): self.result = result
    case .caseStarted(let description): begin(description, event)
    case .failed(let failure) where event.scenario == nil: failures.append(failure)
    default:
      guard let identifier = event.scenario else { return }
      open[identifier]?.add(event, renderer: renderer)
      if case .caseFinished(let result) = event.kind { end(identifier, isLast: !result.isRetried) }
    }
  }

  /// Completes the page.
  ///
  /// - Throws: The first thing that went wrong since the run began.
  package func finish() throws(ReportError) {
    // In the plan's order, whatever order a dictionary has.
    let unfinished = open.values.sorted {
      ($0.record.description.index, $0.record.identifier)
        < ($1.record.description.index, $1.record.identifier)
    }
    for each in unfinished {
      // Its last attempt has ended where another was to follow and never came.
      let isBetweenAttempts = each.record.result != nil
      if running.contains(each.record.identifier) { open[each.record.identifier]?.isRunning = true }
      end(each.record.identifier, isLast: true, isClosed: isBetweenAttempts)
    }
    begin()
    endChunk()
    write("<script type=\"application/json\" id=\"sources\">\(sources.json)</script>\n")
    let former = bad.sorted().compactMap { identifier in
      passed(identifier).map { "\(PageJSON.text(identifier)):\($0)" }
    }
    if !former.isEmpty {
      let json = "{\(former.joined(separator: ",\n"))}"
      write("<script type=\"application/json\" id=\"baseline\">\(json)</script>\n")
    }
    write("<script type=\"application/json\" id=\"run\">\(head)\"cases\":[\n")
    let sorted = summaries.sorted { ($0.index, $0.order) < ($1.index, $1.order) }
    for (place, summary) in sorted.enumerated() {
      write(place > 0 ? ",\n\(summary.json)" : summary.json)
    }
    write("\n]}</script>\n<script>\(reportPageScript)</script>\n</body>\n</html>\n")
    if let error { throw error }
    try sink.finish()
  }

  // MARK: - Cases

  private func begin(_ description: CaseDescription, _ event: Event) {
    let identifier = event.scenario ?? "\(description.file)::\(description.name)"
    guard open[identifier] == nil else {
      open[identifier]?.begin(description, startedAt: event.realTime)
      return
    }
    open[identifier] = PageCase(
      identifier: identifier, description: description, startedAt: event.realTime)
  }

  private func end(_ identifier: String, isLast: Bool, isClosed: Bool = false) {
    if !isClosed { open[identifier]?.close(at: latest, renderer: renderer, folder: folder) }
    guard isLast, let ended = open.removeValue(forKey: identifier) else { return }
    begin()
    if chunk.cases == 0 {
      write("<script type=\"application/json\" id=\"chunk-\(chunk.number)\">")
    } else {
      write("\n")
    }
    if !ended.isRunning, [.failed, .errored].contains(ended.record.outcome) {
      bad.append(identifier)
    }
    let json = ended.json(reproduces: reproduces)
    write(json)
    summaries.append(
      (
        ended.record.description.index, summaries.count,
        ended.summary(chunk: chunk.number, offset: chunk.cases, at: latest)
      ))
    chunk.cases += 1
    chunk.bytes += json.utf8.count
    if chunk.bytes >= Self.chunkSize { endChunk() }
  }

  private func endChunk() {
    guard chunk.cases > 0 else { return }
    write("</script>\n")
    chunk = (chunk.number + 1, 0, 0)
  }

  // MARK: - The page

  private func begin() {
    guard !hasBegun else { return }
    hasBegun = true
    write(ReportPage.beginning(round: round))
  }

  /// The properties of the run, without its cases.
  private var head: String {
    let members: [(String, String?)] = [
      ("version", PageJSON.text(description?.version ?? "")),
      ("digest", PageJSON.text(description?.planDigest ?? "")),
      ("hostname", PageJSON.text(description?.hostname ?? "")),
      ("startedAt", PageJSON.text(description?.startedAt.description ?? "")),
      ("duration", "\((result?.duration ?? latest).count)"),
      ("interrupted", result?.interrupted ?? true ? "true" : "false"),
      ("failures", PageJSON.list(failures.map { PageFailure.json($0, renderer: renderer) })),
    ]
    return String(PageJSON.object(members).dropLast()) + ","
  }

  private func write(_ text: String) {
    guard error == nil else { return }
    do {
      try sink.write(text)
    } catch {
      self.error = error
    }
  }
}
