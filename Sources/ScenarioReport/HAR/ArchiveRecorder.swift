internal import Foundations
package import ScenarioEvents

/// Writes every exchange as an entry of an HTTP Archive (HAR 1.2).
///
/// Times are the scenario's own: an archive shows what the target saw. Entries stand in the order of the plan,
/// however many scenarios ran at once: those of a scenario wait until all before it have ended.
package final class ArchiveRecorder: EventRecorder {
  private let sink: any ReportSink
  private var error: ReportError?
  private var hasBegun = false
  private var hasEntries = false
  /// The places of the cases that are under way.
  private var indices: [String: Int] = [:]
  /// The entries that wait, by the places of their cases.
  private var waiting: [Int: [String]] = [:]
  /// The cases that have ended before others in front of them.
  private var ended: Set<Int> = []
  /// The first case that has not ended.
  private var next = 0

  /// Creates a recorder.
  package init(sink: any ReportSink) {
    self.sink = sink
  }

  /// Records one event.
  package func record(_ event: Event) {
    switch event.kind {
    case .runStarted(let run): begin(version: run.version)
    case .caseStarted(let description): indices[event.scenario ?? ""] = description.index
    case .exchanged(let exchange): add(exchange, scenario: event.scenario ?? "")
    case .caseFinished(let result) where !result.isRetried: end(event.scenario ?? "")
    default: break
    }
  }

  /// Completes the archive.
  ///
  /// - Throws: The first thing that went wrong since the run began.
  package func finish() throws(ReportError) {
    begin(version: "")
    for index in waiting.keys.sorted() { release(index) }
    write("\n]}}\n")
    if let error { throw error }
    try sink.finish()
  }

  private func begin(version: String) {
    guard !hasBegun else { return }
    hasBegun = true
    let creator = object([("name", text("scenario")), ("version", text(version))])
    write("{\"log\":{\"version\":\"1.2\",\"creator\":\(creator),\"entries\":[")
  }

  private func write(_ text: String) {
    guard error == nil else { return }
    do {
      try sink.write(text)
    } catch {
      self.error = error
    }
  }

  // MARK: - Entries

  private func add(_ exchange: ExchangeDescription, scenario: String) {
    begin(version: "")
    let milliseconds = "\(Double(exchange.delay.count) / 1_000_000)"
    let entry = object([
      ("startedDateTime", text(exchange.startedAt.description)), ("time", milliseconds),
      ("request", request(exchange)), ("response", response(exchange)), ("cache", "{}"),
      ("timings", object([("send", "0"), ("wait", milliseconds), ("receive", "0")])),
      ("comment", text(scenario)),
    ])
    let index = indices[scenario] ?? next
    guard index <= next else {
      waiting[index, default: []].append(entry)
      return
    }
    writeEntry(entry)
  }

  private func writeEntry(_ entry: String) {
    write((hasEntries ? ",\n" : "\n") + entry)
    hasEntries = true
  }

  private func end(_ scenario: String) {
    guard let index = indices.removeValue(forKey: scenario), index >= next else { return }
    ended.insert(index)
    while ended.remove(next) != nil {
      next += 1
      release(next)
    }
  }

  private func release(_ index: Int) {
    for entry in waiting.removeValue(forKey: index) ?? [] { writeEntry(entry) }
  }

  private func request(_ exchange: ExchangeDescription) -> String {
    let message = exchange.request
    var members =
      head(of: message) + [
        ("method", text(exchange.method)), ("url", text(exchange.url)),
        ("httpVersion", text("HTTP/1.1")), ("queryString", queryString(of: exchange.url)),
      ]
    if message.bodyLength > 0 {
      var body = [("mimeType", text(type(of: message))), ("text", text(message.body))]
      // HAR 1.2 knows Base64 for replies only; a name of one's own begins with "_".
      if message.isBase64 { body.append(("_encoding", text("base64"))) }
      members.append(("postData", object(body)))
    }
    return object(members)
  }

  private func response(_ exchange: ExchangeDescription) -> String {
    let message = exchange.response
    var content = [
      ("size", String(message.bodyLength)), ("mimeType", text(type(of: message))),
      ("text", text(message.body)),
    ]
    if message.isBase64 { content.append(("encoding", text("base64"))) }
    return object(
      head(of: message) + [
        ("status", String(exchange.status)), ("statusText", text("")),
        ("httpVersion", text("HTTP/1.1")), ("content", object(content)),
        ("redirectURL", text(value(of: "location", in: message) ?? "")),
      ])
  }

  /// Returns the members that requests and responses share.
  private func head(of message: ExchangeDescription.Message) -> [(String, String)] {
    let headers = message.headers.map { header in
      object([("name", text(header.name)), ("value", text(header.value))])
    }
    return [
      ("cookies", "[]"), ("headers", "[\(headers.joined(separator: ","))]"), ("headersSize", "-1"),
      ("bodySize", String(message.bodyLength)),
    ]
  }

  /// The items of a URL's query, as they are written there.
  private func queryString(of url: String) -> String {
    guard let mark = url.firstIndex(of: "?") else { return "[]" }
    let items = url[url.index(after: mark)...].split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return object([
        ("name", text(String(parts[0]))), ("value", text(parts.count > 1 ? String(parts[1]) : "")),
      ])
    }
    return "[\(items.joined(separator: ","))]"
  }

  private func type(of message: ExchangeDescription.Message) -> String {
    value(of: "content-type", in: message) ?? "application/octet-stream"
  }

  private func value(of name: String, in message: ExchangeDescription.Message) -> String? {
    message.headers.first { $0.name.lowercased() == name }?.value
  }

  // MARK: - JSON

  private func text(_ text: String) -> String {
    Value.string(text).jsonText()
  }

  private func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\(text($0.0)):\($0.1)" }.joined(separator: ",") + "}"
  }
}
