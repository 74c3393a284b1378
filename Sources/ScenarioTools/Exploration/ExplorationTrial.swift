internal import FaultEngine
internal import Patterns
package import ScenarioModel
package import ScenarioPlan

/// The fault at a point.
package struct ExploredFault: Sendable, Hashable, Codable {
  /// The error; `nil` for a transfer of one byte.
  package var error: ErrorNumber?
  /// The calls that it lasts for.
  package var mode: FaultMode

  /// Creates a fault.
  package init(error: ErrorNumber?, mode: FaultMode) {
    self.error = error
    self.mode = mode
  }

  /// The fault in a word: `ENOSPC`, `short`.
  package var word: String { error?.name ?? "short" }

  /// The provider of the fault.
  package var provider: PlannedProvider {
    error.map { .error($0) } ?? .short(.bytes(1))
  }
}

/// One fault at one point: one run.
package struct ExplorationTrial: Sendable, Hashable, Codable {
  /// Its place among the trials, from 0.
  package var number: Int
  /// The point.
  package var point: FaultPoint
  /// The fault.
  package var fault: ExploredFault

  /// Creates a trial.
  package init(number: Int, point: FaultPoint, fault: ExploredFault) {
    self.number = number
    self.point = point
    self.fault = fault
  }

  /// Its name in a few words, such as `write#3 ENOSPC once`.
  package var name: String {
    "\(point.call)#\(point.occurrence) \(fault.word) \(fault.mode.rawValue)"
  }
}

extension PlannedExploration {
  /// The trials of the points that a run without faults has shown, in their order.
  package func trials(of points: [FaultPoint]) -> [ExplorationTrial] {
    var trials: [ExplorationTrial] = []
    for point in chosen(points) {
      for fault in faults(of: point.call) {
        trials.append(ExplorationTrial(number: trials.count, point: point, fault: fault))
      }
    }
    return trials
  }

  /// The points that are tried: none that is ignored, and of each place of the code the first where
  /// that is enough.
  package func chosen(_ points: [FaultPoint]) -> [FaultPoint] {
    var places: Set<CodeSite> = []
    return points.filter { point in
      guard !isIgnored(point), obstacle(to: point) == nil else { return false }
      return grain == .call || places.insert(CodeSite(point)).inserted
    }
  }

  /// The functions among points that cannot be made to fail with an error, each with the reason.
  package func obstacles(to points: [FaultPoint]) -> [(function: String, reason: String)] {
    var functions: Set<String> = []
    return points.compactMap { point in
      guard let reason = obstacle(to: point), functions.insert(point.call).inserted else {
        return nil
      }
      return (point.call, reason)
    }
  }

  private func obstacle(to point: FaultPoint) -> String? {
    guard surveys.indices.contains(point.entry), surveys[point.entry].functions != nil else {
      return nil
    }
    return FunctionConvention.obstacle(to: .error, of: point.call)
  }

  private func isIgnored(_ point: FaultPoint) -> Bool {
    guard !ignored.isEmpty else { return false }
    let program = point.program.split(separator: "/").last.map(String.init) ?? point.program
    var names = [program, point.program]
    if let subject = point.subject {
      names.append(subject)
      names.append(subject.split(separator: "/").last.map(String.init) ?? subject)
    }
    return ignored.contains { pattern in names.contains { pattern.matches($0) } }
  }

  private func faults(of call: String) -> [ExploredFault] {
    kinds.flatMap { kind -> [ExploredFault] in
      switch kind {
      case .error:
        errors(of: call).flatMap { error in
          modes.map { ExploredFault(error: error, mode: $0) }
        }
      case .short where PlannedCall(name: call).canBeShortened:
        modes.map { ExploredFault(error: nil, mode: $0) }
      case .short: []
      }
    }
  }

  private func errors(of call: String) -> [ErrorNumber] {
    let practical = PracticalErrors.names(of: call).compactMap { try? ErrorNumber.named($0) }
    switch errors {
    case .practical: return practical
    case .among(let errors): return errors
    case .documented:
      let documented = DocumentedErrors(of: call)?.candidates() ?? []
      return documented.isEmpty ? practical : documented
    }
  }

  /// The entry that brings a fault about, in place of the one that has seen its point.
  ///
  /// - Parameter isOfThread: whether the call is counted among those of its thread, as it must be where
  ///   threads or processes race, and not among all.
  package func entry(for trial: ExplorationTrial, isOfThread: Bool = false) -> PlannedChaos? {
    guard surveys.indices.contains(trial.point.entry) else { return nil }
    var entry = surveys[trial.point.entry]
    entry.provider = trial.fault.provider
    guard isOfThread, let rank = trial.point.rank else {
      switch trial.fault.mode {
      case .once: entry.schedule.places = [trial.point.occurrence]
      case .onwards: entry.schedule.after = max(0, trial.point.occurrence - 1)
      }
      return entry
    }
    switch trial.fault.mode {
    case .once:
      entry.conditions.lineage = trial.point.lineage
      entry.schedule.places = [rank]
    // What fails from a call on fails for everybody.
    case .onwards:
      entry.beginning = PlannedChaos.Beginning(lineage: trial.point.lineage, rank: rank)
    }
    return entry
  }
}

/// A place of the code, and what is done there; whatever it is done to.
package struct CodeSite: Sendable, Hashable {
  private let call: String
  private let site: String?
  private let program: String
  /// The subject, which distinguishes calls whose place is not known.
  private let subject: String?

  /// The place of a point.
  package init(_ point: FaultPoint) {
    call = point.call
    site = point.site
    program = point.program
    subject = point.site == nil ? point.subject : nil
  }
}
