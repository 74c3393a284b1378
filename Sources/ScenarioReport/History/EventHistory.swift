internal import FoundationEssentials
internal import Foundations
internal import ScenarioEvents

/// Reads the runs of a stream of events, a line at a time.
///
/// Streams of other versions are read as far as a history needs them: the run, its cases, and how those end.
package struct EventHistory {
  /// The name of an event.
  private struct Heading: Decodable { var event: String }

  /// The version that has written a run.
  private struct Writer: Decodable {
    struct Run: Decodable { var version: String }

    var data: Run
  }

  private let name: String
  private let version: String
  private let decoder = JSONDecoder()
  private var finished: [ReportedRun] = []
  private var current: EventHistoryRun?
  /// The version that has written what is read; `nil` before the first run.
  private var writer: String?

  private init(name: String, version: String) {
    self.name = name
    self.version = version
  }

  /// Reads a file, which may hold several runs one behind the other.
  ///
  /// - Parameters:
  ///   - path: the file, which is also the name of its runs.
  ///   - version: the version that reads.
  /// - Throws: If a line is no event, or none of a run that has begun.
  package static func runs(
    at path: String, version: String
  ) throws(HistoryProblem) -> [ReportedRun] {
    var reader = EventHistory(name: path, version: version)
    var problem: HistoryProblem?
    do throws(ReportError) {
      try EventLineReader(path: path).readLines { line, number, isWhole throws(ReportError) in
        do throws(HistoryProblem) {
          try reader.take(line, number, isWhole: isWhole)
        } catch {
          problem = error
          throw ReportError(error.message)
        }
      }
    } catch {
      throw problem
        ?? HistoryProblem(error.message, help: error.help ?? "name files that can be read")
    }
    return try reader.end()
  }

  // MARK: - Lines

  private mutating func take(
    _ line: [UInt8], _ number: Int, isWhole: Bool
  ) throws(HistoryProblem) {
    guard let heading = try? decoder.decode(Heading.self, from: Data(line)) else {
      // A run that was killed tears its last line.
      guard !isWhole, current != nil else { throw noEvent(number) }
      return
    }
    if heading.event == Event.Kind.Name.runStarted.rawValue {
      writer = (try? decoder.decode(Writer.self, from: Data(line)))?.data.version
    }
    guard let kind = Event.Kind.Name(rawValue: heading.event) else {
      guard let writer, writer != version else { throw noEvent(number) }
      return
    }
    guard current != nil || kind == .runStarted else {
      throw HistoryProblem(
        "this is not an event stream: its first line does not begin a run", line: number,
        help: "name complete files that --report jsonl=FILE wrote")
    }
    switch kind {
    case .runStarted, .caseStarted, .failed, .caseFinished, .runFinished: break
    default: return
    }
    guard let event = try? decoder.decode(Event.self, from: Data(line)) else {
      guard isWhole else { return }
      throw noEvent(number)
    }
    if case .runStarted(let description) = event.kind {
      finish()
      current = EventHistoryRun(name: name, description: description)
    } else {
      current?.take(event)
    }
  }

  private func noEvent(_ number: Int) -> HistoryProblem {
    if let writer, writer != version {
      return HistoryProblem(
        "scenario \(writer) wrote this, but scenario \(version) cannot read it", line: number,
        help: "use the JUnit report of the run, which every version reads")
    }
    return HistoryProblem(
      "this line is not an event", line: number,
      help: "name files that --report jsonl=FILE wrote; leave out damaged ones")
  }

  private mutating func finish() {
    if let run = current?.run { finished.append(run) }
    current = nil
  }

  private mutating func end() throws(HistoryProblem) -> [ReportedRun] {
    finish()
    guard !finished.isEmpty else {
      throw HistoryProblem(
        "this file is empty: its run died before it started", help: "leave it out")
    }
    guard finished.count > 1 else { return finished }
    for place in finished.indices { finished[place].source += " (run \(place + 1))" }
    return finished
  }
}

/// One run of a stream, while it is read.
private struct EventHistoryRun {
  /// A case that has begun.
  private struct Begun {
    var description: CaseDescription
    var verdict = CaseVerdict()
    var message: String?
    var failedAttempts = 0
    var result: CaseResult?
    /// Real time of the attempts before.
    var earlier = Nanoseconds.zero
  }

  private let name: String
  private let description: RunDescription
  private var begun: [Begun] = []
  private var places: [String: Int] = [:]
  private var result: RunResult?

  init(name: String, description: RunDescription) {
    self.name = name
    self.description = description
  }

  mutating func take(_ event: Event) {
    switch event.kind {
    case .caseStarted(let description):
      begin(description, event)
    case .failed(let failure):
      guard let place = event.scenario.flatMap({ places[$0] }) else { return }
      begun[place].verdict.add(failure)
      begun[place].message = begun[place].message ?? failure.message
    case .caseFinished(let result):
      guard let place = event.scenario.flatMap({ places[$0] }) else { return }
      // Outputs may be long, and a history has no use for them.
      begun[place].result = CaseResult(
        outcome: result.outcome, duration: result.duration,
        virtualDuration: result.virtualDuration, standardOutput: "", standardError: "",
        directory: nil)
      begun[place].result?.isUnreached = result.isUnreached
    case .runFinished(let result): self.result = result
    default: break
    }
  }

  private mutating func begin(_ description: CaseDescription, _ event: Event) {
    let identifier = event.scenario ?? "\(description.file)::\(description.name)"
    guard let place = places[identifier] else {
      places[identifier] = begun.count
      begun.append(Begun(description: description))
      return
    }
    let before = begun[place]
    begun[place] = Begun(
      description: description, message: before.message,
      failedAttempts: before.failedAttempts + 1,
      earlier: before.earlier + max(.zero, before.result?.duration ?? .zero))
  }

  /// The run, once its events are read.
  var run: ReportedRun {
    var run = ReportedRun(source: name)
    run.begin = description.startedAt
    run.labels = description.labels ?? [:]
    run.planDigest = description.planDigest
    run.duration = result?.duration
    run.isCutOff = result?.interrupted ?? true
    let shard = description.shard.map { "\($0.index)/\($0.count)" } ?? ""
    // What the run did not get to has no place in it.
    for begun in begun where begun.result?.isUnreached != true {
      var found = reported(begun)
      found.origin = ReportedCase.origin(
        planDigest: description.planDigest, startedAt: description.startedAt.description,
        shard: shard, file: JUnitNames.visible(begun.description.file, else: "scenario"))
      run.cases.append(found)
    }
    return run
  }

  private func reported(_ begun: Begun) -> ReportedCase {
    let outcome = begun.verdict.outcome(reported: begun.result?.outcome)
    let name = JUnitNames.visible(begun.description.name, else: "unnamed")
    var found = ReportedCase(
      place: JUnitNames.visible(begun.description.file, else: "scenario"),
      name: begun.description.repetition.map { ReportedCase.original(of: name, repetition: $0) }
        ?? name,
      outcome: outcome, failedAttempts: begun.failedAttempts,
      duration: begun.result.map { begun.earlier + max(.zero, $0.duration) },
      virtualDuration: begun.result?.virtualDuration,
      message: outcome.isBad || begun.failedAttempts > 0
        ? begun.message ?? (begun.result == nil ? "it did not finish" : nil) : nil)
    found.isCutOff = begun.result == nil && (result?.interrupted ?? true)
    return found
  }
}

extension CaseResult.Outcome {
  /// True if the case did not hold, or could not be decided.
  var isBad: Bool { self == .failed || self == .errored }
}
