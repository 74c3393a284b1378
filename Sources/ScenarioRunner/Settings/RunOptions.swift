package import Foundations
package import ScenarioEvents
package import ScenarioModel
package import ScenarioPlan
internal import Supervisor

/// The options of a run.
package struct RunOptions: Sendable {
  /// The runner's version, for reports.
  package var version: String
  /// SHA-256 of the plan, in hexadecimal.
  package var planDigest: String
  /// The folder in which temporary folders are made.
  package var temporaryFolder: String
  /// The runner's own environment, for `env.pass`.
  package var environment: [String: String]
  /// The bundle or folder of authorities that is trusted where real hosts are asked; `nil` is the system's.
  package var trustPath: String?
  /// Plans a case anew with some of the changes that `$mutate` makes to its data, by their numbers; `nil`
  /// where a case that fails is not tried with fewer.
  package var replan: (@Sendable (_ identifier: String, _ mutations: Set<Int>) -> PlannedCase?)?
  /// True if each request is reported with all of its answer.
  package var reportsExchanges = false
  /// True if process starts, waits and output are reported individually, each with its virtual time.
  package var reportsTimeline = false
  /// The places of the cases in the plan that they are a part of, counted from 0; `nil` where they are all.
  package var places: [Int]?
  /// The part of the plan that is run; `nil` for all of it.
  package var shard: ShardDescription?
  /// The caller's labels of the run, for reports.
  package var labels: [String: String] = [:]
  /// The files that the cases were read from, for reports.
  package var sources: [SourceDigest] = []
  /// The values of `secrets: { env: … }`, by their names.
  package var secretValues: [String: String] = [:]
  /// Redacts secrets in recordings and reports.
  package var secrets = SecretRedactor()
  /// Publishes running cases for other threads; `nil` if none observes them.
  package var running: RunningCases?
  /// Compares and writes expected texts.
  package var snapshots = SnapshotStore()
  /// The maximum number of cases that run at once.
  package var jobs = 1
  /// The order in which cases are begun.
  package var order = CaseOrder.file
  /// The time that a case took before, by its identifier; `nil` where that is not known.
  package var earlierDuration: @Sendable (String) -> Nanoseconds? = { _ in nil }
  /// After how many cases that did not pass no more begin; `nil` for any number.
  package var failureLimit: Int?
  /// Real time between SIGTERM and SIGKILL, where a scenario does not say.
  package var grace = Self.usualGrace
  /// The longest time that processes may take to end, unless it is said.
  package static let usualGrace = Nanoseconds.seconds(5)
  /// The rule for processes that outlive the target, where a scenario does not say.
  package var leak = LeakRule.warn
  /// The number of times that a case is tried again that does not pass, where a scenario does not say.
  package var retries = 0
  /// The cases whose folders stay on disk.
  package var kept = KeptFolders.none
  /// Archives of all requests that are written, by their absolute paths: scenarios that failed link to them.
  package var archives: [String] = []
  /// The options of the command line that may decide how a case ends, as words of another one.
  package var decisiveWords: [String] = []
  /// Plans a case for another date; `nil` where dates are not searched.
  package var atDate: (@Sendable (PlannedCase, WallInstant) -> PlannedCase?)?
  /// The settings of when environments pause.
  package var pausing = Pausing()
  /// The log of each stop of the targets; `nil` for none.
  var stopLog: StopLog?
  /// The ports that the cases of the run have.
  let ports = FixedPorts()
  /// True if everything is run again and again until something does not pass.
  package var repeatsUntilFailure = false

  /// Creates options.
  package init(
    version: String, planDigest: String, temporaryFolder: String, environment: [String: String]
  ) {
    self.version = version
    self.planDigest = planDigest
    self.temporaryFolder = temporaryFolder
    self.environment = environment
  }
}

extension RunOptions {
  /// The number of a case in the whole plan, counted from 1.
  func number(ofCaseAt index: Int) -> Int {
    guard let places, places.indices.contains(index) else { return index + 1 }
    return places[index] + 1
  }
}

/// The cases whose folders stay on disk.
package enum KeptFolders: String, Sendable, CaseIterable {
  /// None.
  case none
  /// The cases that did not pass.
  case failed
  /// All cases.
  case all

  /// Returns whether the folder of a case stays that ended so.
  func includes(_ outcome: CaseResult.Outcome) -> Bool {
    switch self {
    case .none: false
    case .failed: outcome == .failed || outcome == .errored
    case .all: true
    }
  }
}

extension RunOptions {
  /// Writes each stop of the targets to a file, which is emptied.
  ///
  /// - Returns: The errno, if it cannot be opened.
  package mutating func writeStops(to path: String) -> Int32? {
    do throws(StopLog.Failure) {
      stopLog = try StopLog(path: path)
      return nil
    } catch {
      return error.errorNumber
    }
  }

  /// The errno of the first stop that could not be written; `nil` if all are written, or none are to be.
  package var stopLoss: Int32? { stopLog?.lossErrorNumber }
}
