internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel

/// A file of responses that replays what a case got from real hosts.
///
/// The same traffic gives the same bytes: entries are sorted, no time is written, and the replies
/// to equal requests are one queue in the order in which they were made.
package struct Recording: Sendable {
  /// A body that is too large, or no text.
  package struct BodyFile: Sendable, Hashable {
    /// The name within the recording's own folder.
    package var name: String
    /// Its bytes.
    package var bytes: [UInt8]
  }

  /// The largest number of bytes of a body in the recording; longer ones are in files beside it.
  static let largestInlineBody = 16 << 10
  /// Bodies of requests beyond this many bytes are in a file beside the recording.
  static let largestCondition = 64 << 10
  /// Bodies of requests beyond this many bytes are not compared.
  static let largestRequest = 1 << 20
  /// Bytes of requests beyond this many are in files beside the recording.
  static let largestInlineBytes = 1 << 10

  /// The file's text.
  package internal(set) var text: String
  /// The files in the folder beside it.
  package internal(set) var bodies: [BodyFile] = []
  /// Replies that were longer than what is kept, and are left out.
  package private(set) var cutReplies: [String] = []
  /// Exchanges that are left out: a binary body or message in them contains a secret, which has no place in a file, and
  /// no condition is about a part of bytes.
  package private(set) var secretExchanges: [String] = []
  /// Requests whose bodies are not compared in a replay, each with the reason.
  package private(set) var uncheckedRequests: [String] = []

  /// Writes down what was heard.
  ///
  /// - Parameters:
  ///   - exchanges: in the order in which the requests were made.
  ///   - unreachable: hosts, with or without a port, to which no connection came about, and why.
  ///   - title: what the recording is of, on one line.
  ///   - folder: the name of the folder for bodies, beside the recording.
  ///   - redaction: what is not shown.
  ///   - keepsBytes: whether JSON that is not written as this would write it is kept as text.
  package init(
    of exchanges: [RecordedExchange], unreachable: [String: RecordedFault] = [:], title: String,
    folder: String, redaction: Redaction, keepsBytes: Bool = false
  ) {
    text = "# \(Self.titleMark)\(title)\n"
    var queues: OrderedDictionary<RecordedRequestKey, [RecordedExchange.Outcome]> = [:]
    let deadHosts = Self.deadHosts(exchanges, unreachable)
    let exchanges = exchanges.flatMap(\.members)
    let operations = RecordedOperations(
      exchanges.filter { deadHosts[$0.place] == nil }, redaction)
    for exchange in exchanges where deadHosts[exchange.place] == nil {
      if case .reply(let reply) = exchange.outcome, reply.isCut {
        cutReplies.append("\(exchange.method) \(redaction.target(exchange.target).text)")
        continue
      }
      if case .socket(let socket) = exchange.outcome, socket.isCut {
        cutReplies.append("\(exchange.method) \(redaction.target(exchange.target).text)")
        continue
      }
      if redaction.hidesBytes(in: exchange.outcome) {
        secretExchanges.append("\(exchange.method) \(redaction.target(exchange.target).text)")
        continue
      }
      let key = RecordedRequestKey(exchange, redaction, operations)
      queues[key, default: []].append(exchange.outcome)
    }
    let keys = queues.keys.sorted()
    uncheckedRequests = keys.compactMap(\.omission)
    for request in uncheckedRequests {
      text += "# not compared: the body of \(request.filter { !$0.isNewline })\n"
    }
    text += "version: 2\n"
    guard !keys.isEmpty || !deadHosts.isEmpty else {
      text += "responses: []\n"
      return
    }
    var entries: [Value] = deadHosts.keys.sorted().compactMap { place in
      deadHosts[place].map { .map(["host": .string(place), "fault": $0]) }
    }
    for key in keys {
      var writer = ReplyWriter(folder: folder, redaction: redaction, bodies: bodies)
      writer.keepsBytes = keepsBytes
      entries.append(key.entry(replies: queues[key] ?? [], &writer))
      bodies = writer.bodies
    }
    var yaml = YAMLText()
    yaml.write(.map(["responses": .list(entries)]), indentation: 0)
    text += yaml.text
  }

  /// Hosts to which no connection ever came about, always for the same reason.
  private static func deadHosts(
    _ exchanges: [RecordedExchange], _ unreachable: [String: RecordedFault]
  ) -> [String: Value] {
    var faults = unreachable.mapValues { Set([$0]) }
    var others: Set<String> = []
    for exchange in exchanges {
      if case .fault(let fault) = exchange.outcome, fault.hostFault != nil {
        faults[exchange.place, default: []].insert(fault)
      } else {
        others.insert(exchange.place)
      }
    }
    return faults.filter { $1.count == 1 && !others.contains($0) }
      .compactMapValues { $0.first?.hostFault }
  }

  /// The mark of a recording's first line, behind `# `.
  private static let titleMark = "recording of "

  /// The title that the first line of a recording names; `nil` if it names none.
  package static func title(of text: String) -> String? {
    let line = text.prefix { !$0.isNewline }
    guard line.hasPrefix("# " + titleMark) else { return nil }
    return String(line.dropFirst(2 + titleMark.count))
  }
}

extension RecordedExchange {
  /// Host and port.
  fileprivate var place: String { "\(target.host):\(target.port)" }
}

/// The replies of one queue, in the language's words.
struct ReplyWriter {
  /// True if JSON that is not written as this would write it is kept as text.
  var keepsBytes = false
  let folder: String
  let redaction: Redaction
  var bodies: [Recording.BodyFile]

  /// Replies in order; equal ones in a row are one with `times`.
  mutating func queue(_ outcomes: [RecordedExchange.Outcome]) -> Value {
    queue(outcomes) { $0.reply($1) }
  }

  /// Results of a GraphQL operation in order.
  mutating func results(_ outcomes: [RecordedExchange.Outcome]) -> Value {
    queue(outcomes) { $0.result($1) }
  }

  private mutating func result(
    _ outcome: RecordedExchange.Outcome
  ) -> OrderedDictionary<String, Value> {
    guard case .reply(let answer) = outcome, let result = answer.graphQLResult else {
      return reply(outcome)
    }
    var members: OrderedDictionary<String, Value> = [:]
    if answer.status != 200 { members["status"] = .integer(Int64(answer.status)) }
    let headers = headers(answer.headers.filter { !answer.isUsual($0) })
    if !headers.isEmpty { members["headers"] = .map(headers) }
    for key in ["data", "errors", "extensions"] {
      if let value = result[key] { members[key] = redaction.value(value) }
    }
    return members
  }

  private mutating func queue(
    _ outcomes: [RecordedExchange.Outcome],
    _ write: (inout ReplyWriter, RecordedExchange.Outcome) -> OrderedDictionary<String, Value>
  ) -> Value {
    var list: [(outcome: RecordedExchange.Outcome, count: Int)] = []
    for outcome in outcomes {
      if let last = list.last, readsAlike(last.outcome, outcome) {
        list[list.count - 1].count += 1
      } else {
        list.append((outcome, 1))
      }
    }
    var written: [Value] = []
    for (outcome, count) in list {
      var reply = write(&self, outcome)
      if count > 1 { reply["times"] = .integer(Int64(count)) }
      written.append(.map(reply))
    }
    return .list(written)
  }

  /// Returns whether two outcomes are written alike: their dates, say, do not count.
  private func readsAlike(
    _ one: RecordedExchange.Outcome, _ other: RecordedExchange.Outcome
  ) -> Bool {
    if case .socket(let first) = one, case .socket(let second) = other {
      return first.turns == second.turns && headers(first.headers) == headers(second.headers)
    }
    guard case .reply(let first) = one, case .reply(let second) = other else { return one == other }
    return first.status == second.status && first.body == second.body
      && first.call == second.call && first.trailers == second.trailers
      && headers(first.headers) == headers(second.headers)
  }

  private mutating func reply(
    _ outcome: RecordedExchange.Outcome
  ) -> OrderedDictionary<String, Value> {
    switch outcome {
    case .fault(let fault): return ["fault": .string(fault.replyWord)]
    case .socket(let socket):
      var members: OrderedDictionary<String, Value> = [:]
      let headers = headers(socket.headers)
      if !headers.isEmpty { members["headers"] = .map(headers) }
      members["websocket"] = .list(socket.steps(redaction))
      return members
    case .reply(let reply):
      var members: OrderedDictionary<String, Value> = ["status": .integer(Int64(reply.status))]
      let isCall = reply.isCall
      let fields = reply.headers.filter { !isCall || !RecordedReply.isOfCall($0) }
      let headers = headers(fields)
      if !headers.isEmpty { members["headers"] = .map(headers) }
      let trailers = self.headers(
        reply.trailers.filter { !isCall || !RecordedReply.isOfCall($0) })
      if !trailers.isEmpty { members["trailers"] = .map(trailers) }
      if isCall { members["grpc"] = reply.callValue } else { addBody(of: reply, to: &members) }
      return members
    }
  }

  /// Headers that name one exchange or its duration: with them no two recordings are the same.
  private static let passingHeaders: Set<String> = [
    "age", "cf-ray", "nel", "report-to", "server-timing", "traceparent", "tracestate",
    "x-amz-cf-id", "x-amz-id-2", "x-amz-request-id", "x-amzn-requestid", "x-amzn-trace-id",
    "x-cloud-trace-context", "x-correlation-id", "x-github-request-id", "x-ms-request-id",
    "x-request-id", "x-response-time", "x-runtime", "x-timer", "x-trace-id",
  ]

  private func isKept(_ name: String) -> Bool {
    !MessageHeaders.isOfConnection(name) && !Self.passingHeaders.contains(name.lowercased())
  }

  /// Headers by name; one that came several times has a list.
  private func headers(
    _ fields: [IncomingRequest.Header]
  ) -> OrderedDictionary<String, Value> {
    var values: [String: [Value]] = [:]
    for header in fields where isKept(header.name) {
      let name = header.name.lowercased()
      values[name, default: []].append(.string(redaction.header(name, header.value)))
    }
    // What packs the body belongs to it where it could not be unpacked.
    let packing = fields.filter {
      $0.name.lowercased() == "content-encoding" && $0.value.lowercased() != "identity"
    }
    if !packing.isEmpty { values["content-encoding"] = packing.map { .string($0.value) } }
    var headers: OrderedDictionary<String, Value> = [:]
    for name in values.keys.sorted() {
      let list = values[name] ?? []
      headers[name] = list.count == 1 ? list[0] : .list(list)
    }
    return headers
  }

  private mutating func addBody(
    of reply: RecordedReply, to members: inout OrderedDictionary<String, Value>
  ) {
    let isPacked = reply.headers.contains {
      $0.name.lowercased() == "content-encoding" && $0.value.lowercased() != "identity"
    }
    let body =
      isPacked ? .bytes(reply.body) : RecordableBody(reply.body, mediaType: reply.mediaType)
    switch body {
    case .empty: break
    case .json(let value) where keepsBytes && !isWrittenAlike(value, as: reply.body):
      addText(String(decoding: reply.body, as: UTF8.self), of: reply, to: &members)
    case .json(let value):
      let shown = redaction.value(value)
      if reply.body.count > Recording.largestInlineBody {
        members["file"] = addFile(Array(shown.jsonText(pretty: true).utf8) + [0x0A], "json")
      } else {
        members["json"] = shown
      }
    case .text(let text): addText(text, of: reply, to: &members)
    case .bytes(let bytes):
      members["file"] = addFile(bytes, "bin")
    }
  }

  private mutating func addText(
    _ text: String, of reply: RecordedReply, to members: inout OrderedDictionary<String, Value>
  ) {
    let shown = shown(text, of: reply)
    if reply.body.count > Recording.largestInlineBody {
      members["file"] = addFile(Array(shown.utf8), "txt")
    } else {
      members["text"] = .string(shown)
    }
  }

  /// Returns whether data that is written as JSON, or of which something is hidden, need not be kept as text.
  private func isWrittenAlike(_ value: Value, as body: [UInt8]) -> Bool {
    redaction.value(value) != value
      || value.jsonText(pretty: false).utf8.elementsEqual(body)
  }

  /// A text as it may be shown: some servers answer with a form.
  private func shown(_ text: String, of reply: RecordedReply) -> String {
    reply.mediaType == "application/x-www-form-urlencoded"
      ? redaction.form(text) : redaction.text(text)
  }

  /// The members of a condition, whose bytes are in a file if they are many.
  mutating func placed(
    _ members: OrderedDictionary<String, Value>
  ) -> OrderedDictionary<String, Value> {
    guard case .string(let text)? = members["base64"], let bytes = Base64.decoded(text),
      bytes.count > Recording.largestInlineBytes
    else { return members }
    var placed = members
    placed["base64"] = nil
    placed["file"] = addFile(bytes, "bin")
    return placed
  }

  /// Data that is in a file.
  mutating func placed(_ value: Value) -> Value {
    .map(["$file": addFile(Array(value.jsonText(pretty: true).utf8) + [0x0A], "json")])
  }

  private mutating func addFile(_ bytes: [UInt8], _ ending: String) -> Value {
    let name = "\(bodies.count + 1).\(ending)"
    bodies.append(Recording.BodyFile(name: name, bytes: bytes))
    return .string("\(folder)/\(name)")
  }
}
