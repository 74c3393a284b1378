internal import Foundations
package import MockEngine
internal import MockServer
internal import Patterns
package import ScenarioEvents
package import ScenarioTools

/// Compares samples with a server or another file, and reports that as a run: one case for each
/// request.
package struct DriftRun {
  /// The API's description that replies are compared with.
  package enum Source {
    /// The real hosts.
    case live(
      trustPath: String?, headers: [IncomingRequest.Header], unsafeMethods: Set<String>)
    /// A description.
    case declaration(any DeclaredShapes)
  }

  private let samples: [DriftSample]
  private let source: Source
  private let planDigest: String
  private let version: String
  private let emit: (Event) -> Void
  private let start = RealTime.monotonic()

  /// Prepares a comparison; `emit` receives all events, in order, on the thread that calls `run()`.
  package init(
    samples: [DriftSample], source: Source, planDigest: String, version: String,
    emit: @escaping (Event) -> Void
  ) {
    self.samples = samples
    self.source = source
    self.planDigest = planDigest
    self.version = version
    self.emit = emit
  }

  /// Compares everything.
  package func run() {
    report(
      .runStarted(
        RunDescription(
          version: version, planDigest: planDigest, caseCount: samples.count,
          startedAt: RealTime.wall(), hostname: RealTime.hostname())))
    var trustPath: String?
    if case .live(let path, _, _) = source { trustPath = path }
    let client = LiveClient(settings: UpstreamSettings(trustPath: trustPath))
    var names: Set<String> = []
    for sample in samples {
      var name = sample.name
      while !names.insert(name).inserted { name += " " + sample.range.description }
      compare(sample, named: name, client)
    }
    client.shutdown()
    report(
      .runFinished(RunResult(duration: RealTime.monotonic() - start, interrupted: false)))
  }

  private func report(_ kind: Event.Kind, scenario: String? = nil) {
    emit(Event(realTime: RealTime.monotonic() - start, scenario: scenario, kind: kind))
  }

  // MARK: - One request

  /// The result of one request.
  private enum Verdict {
    case differences([ShapeDifference])
    case failure(Failure)
    /// Nothing was compared, for this reason.
    case skipped(String)
    /// The other side has other requests.
    case other
  }

  private func compare(_ sample: DriftSample, named name: String, _ client: LiveClient) {
    let identifier = "\(sample.range.file)::\(name)"
    let begin = RealTime.monotonic()
    report(
      .caseStarted(
        CaseDescription(file: sample.range.file, name: name, range: sample.range, tags: [], seed: 0)
      ),
      scenario: identifier)
    var outcome = CaseResult.Outcome.passed
    var lines: [String] = []
    for reason in sample.shapes.isEmpty ? [] : sample.uncompared {
      lines.append("not compared: \(reason)")
    }
    switch verdict(on: sample, client) {
    case .other:
      outcome = .skipped
    case .skipped(let reason):
      outcome = .skipped
      lines.append("not compared: \(reason)")
      report(
        .warning("\(sample.name) is not compared: \(reason)", range: nil),
        scenario: identifier)
    case .failure(let failure):
      outcome = failure.category == .error ? .errored : .failed
      report(.failed(failure), scenario: identifier)
    case .differences(let differences):
      for difference in differences {
        lines.append("\(difference.severity): \(difference.path) \(difference.message)")
        switch difference.severity {
        case .note: break
        case .warning:
          report(
            .warning(
              "\(sample.name): \(difference.path) \(difference.message)", range: sample.range),
            scenario: identifier)
        case .error:
          outcome = .failed
          report(
            .failed(
              Failure(
                category: .expectation, type: "drift.type",
                message: "\(difference.path) \(difference.message)", range: sample.range,
                help: "record again, or change the reply to match the real one")),
            scenario: identifier)
        }
      }
    }
    report(
      .caseFinished(
        CaseResult(
          outcome: outcome, duration: RealTime.monotonic() - begin, virtualDuration: nil,
          standardOutput: lines.map { $0 + "\n" }.joined(), standardError: "", directory: nil)),
      scenario: identifier)
  }

  private func verdict(on sample: DriftSample, _ client: LiveClient) -> Verdict {
    guard !sample.shapes.isEmpty else {
      return .skipped(sample.uncompared.joined(separator: ", "))
    }
    switch source {
    case .declaration(let shapes): return compare(sample, with: shapes)
    case .live(_, let headers, let methods):
      return ask(sample, client, headers: headers, unsafeMethods: methods)
    }
  }

  private func compare(_ sample: DriftSample, with shapes: any DeclaredShapes) -> Verdict {
    var differences: [ShapeDifference] = []
    for (status, shape) in sample.shapes.sorted(by: { $0.key < $1.key }) {
      switch shapes.declaration(of: sample, status: status) {
      case .shape(let declared):
        differences += ShapeComparison.differences(
          between: shape, and: declared,
          from: .declaration(reportsAdditions: shapes.reportsAdditions))
      case .missing(let reason):
        differences.append(ShapeDifference(.warning, at: "$", "is not declared: \(reason)"))
      case .other:
        return .other
      }
    }
    return .differences(differences)
  }

  private func ask(
    _ sample: DriftSample, _ client: LiveClient, headers: [IncomingRequest.Header],
    unsafeMethods: Set<String>
  ) -> Verdict {
    guard let request = sample.request else {
      return .skipped("it answers more than one request, or a request that is not fully known")
    }
    guard request.isSafe || unsafeMethods.contains(request.method) else {
      return .skipped(
        "\(request.method) may change data; --unsafe \(request.method) allows it")
    }
    var fields = headers
    let body = request.json.map { Array($0.jsonText().utf8) } ?? []
    func add(_ name: String, _ value: String) {
      guard !fields.contains(where: { $0.name.lowercased() == name }) else { return }
      fields.append(IncomingRequest.Header(name: name, value: value))
    }
    add("accept", "application/json, */*;q=0.5")
    add("user-agent", "scenario/\(version)")
    if !body.isEmpty { add("content-type", "application/json") }
    let reply: RecordedReply
    do {
      reply = try client.reply(
        to: request.method, request.target, headers: fields, body: body,
        upstreams: sample.upstreams)
    } catch {
      return .failure(
        Failure(
          category: .error, type: "drift.live",
          message: "\(request.method) \(request.target.text) got no answer: \(error.message)",
          range: sample.range, help: "check that this machine can reach the host"))
    }
    return judge(reply, against: sample)
  }

  private func judge(_ reply: RecordedReply, against sample: DriftSample) -> Verdict {
    guard let recorded = sample.shapes[reply.status] else {
      let known = sample.shapes.keys.sorted().map(String.init).joined(separator: ", ")
      return .failure(
        Failure(
          category: .expectation, type: "drift.status",
          message: "the status was \(known), but is now \(reply.status)", range: sample.range,
          details: GraphQLComplaint(in: reply.body).map { [$0.text] } ?? [],
          help: "send the headers that the host requires with --header, or record again"))
    }
    guard let value = try? JSONText.parse(utf8: reply.body) else {
      return .failure(
        Failure(
          category: .expectation, type: "drift.type",
          message: "the reply was JSON, but is now \(reply.mediaType ?? "something else")",
          range: sample.range, help: "record again"))
    }
    var differences = ShapeComparison.differences(
      between: recorded, and: Shape(of: value), from: .replies)
    // A field that is gone makes GraphQL refuse the whole request (October 2021, section 7.1.2).
    if sample.operationKind != nil, let complaint = GraphQLComplaint(in: reply.body) {
      differences.append(ShapeDifference(.warning, at: "$.errors", complaint.text))
    }
    return .differences(differences)
  }
}
