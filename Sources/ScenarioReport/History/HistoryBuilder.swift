internal import Foundations
internal import ScenarioEvents

/// Gathers reports one by one into a history; of each case in each run it keeps a few bytes.
package struct HistoryBuilder {
  private var runs: [GatheredRun] = []
  private var groups: [String: Int] = [:]
  private var identities: [CaseHistory.Identity] = []
  private var indices: [CaseHistory.Identity: Int] = [:]
  private var origins: Set<String> = []
  private var doubleCount = 0

  /// Creates a builder of nothing.
  package init() {}

  /// Adds what a report tells.
  ///
  /// What another report has told of the same run is passed over: a run may have written an event stream and JUnit
  /// reports. Event streams, which say more, are to be added first.
  ///
  /// - Parameters:
  ///   - given: the report's number in the order in which reports are named.
  ///   - group: the name of the run where several reports make one; `nil` for a run of its own.
  package mutating func add(_ reported: ReportedRun, given: Int, group: String? = nil) {
    let cases = reported.cases.filter { found in
      found.origin.map { !origins.contains($0) } ?? true
    }
    guard !cases.isEmpty || reported.cases.isEmpty else {
      doubleCount += 1
      return
    }
    origins.formUnion(cases.compactMap(\.origin))
    let place = place(of: reported, given: given, group: group)
    var spent = Nanoseconds.zero
    for found in cases {
      let identity = CaseHistory.Identity(place: found.place, name: found.name)
      let index = indices[identity] ?? identities.count
      if index == identities.count {
        indices[identity] = index
        identities.append(identity)
      }
      spent += found.duration ?? .zero
      runs[place].run.count(found)
      runs[place].cases.append((index, CaseHistory.Observation(found)))
    }
    runs[place].run.duration += reported.duration ?? spent
  }

  private mutating func place(of reported: ReportedRun, given: Int, group: String?) -> Int {
    if let group, let place = groups[group] {
      runs[place].join(reported, given: given)
      return place
    }
    if let group { groups[group] = runs.count }
    runs.append(
      GatheredRun(
        run: History.Run(
          source: group ?? reported.source, begin: reported.begin, labels: reported.labels,
          planDigest: reported.planDigest, duration: .zero, isCutOff: reported.isCutOff),
        given: given))
    return runs.count - 1
  }

  /// The history of all that was added.
  ///
  /// - Parameters:
  ///   - isOneVersion: whether nothing has changed between the runs, whatever they say.
  ///   - order: what decides about the order.
  ///   - last: how many runs count, from the end; `nil` for all.
  package func history(
    isOneVersion: Bool = false, order: HistoryOrder = .begin, last: Int? = nil
  ) -> History {
    History(
      runs, cases: identities, isOneVersion: isOneVersion, order: order, last: last,
      doubleCount: doubleCount)
  }
}

extension GatheredRun {
  /// Adds another report of the same run.
  fileprivate mutating func join(_ reported: ReportedRun, given: Int) {
    self.given = min(self.given, given)
    run.begin = [run.begin, reported.begin].compactMap(\.self).min()
    run.labels.merge(reported.labels) { first, _ in first }
    if run.planDigest != reported.planDigest { run.planDigest = nil }
    run.isCutOff = run.isCutOff || reported.isCutOff
  }
}

extension History.Run {
  fileprivate mutating func count(_ found: ReportedCase) {
    switch found.outcome {
    case .passed: passed += 1
    case .failed: failed += 1
    case .errored: errored += 1
    case .skipped: skipped += 1
    }
    if found.outcome == .passed, found.failedAttempts > 0 { retried += 1 }
  }
}
