internal import ArgumentParser
internal import Foundations
internal import ScenarioPlan
internal import ScenarioRunner

/// The order in which cases begin.
struct OrderOptions: ParsableArguments {
  /// An order by its name.
  enum Order: String, CaseIterable {
    /// The order of the files.
    case file
    /// Mixed by the seed.
    case random
    /// The slowest of earlier runs first.
    case slowest
    /// The cases first that failed when they last ran.
    case failed
  }

  @Option(
    help: ArgumentHelp(
      "Start scenarios in this order: file, random (by --seed), slowest (first) or failed (first).",
      valueName: "order"),
    transform: { try ExecutionOptions.word($0) })
  var order = Order.file

  /// The order with what is known of the cases.
  ///
  /// - Parameter seed: the seed that the command line names; without one, an order by chance draws its own.
  func order(
    of cases: [PlannedCase], seed: Int64?
  ) -> (order: CaseOrder, earlier: [String: Nanoseconds]) {
    switch order {
    case .file: (.file, [:])
    case .random:
      (.random(seed: seed.map { UInt64(bitPattern: $0) } ?? .random(in: 0...999_999)), [:])
    case .slowest: (.slowest, TimingsFile(project: .current()).durations(of: cases))
    case .failed: (.failed(LastRunFile(project: .current()).failed(among: cases)), [:])
    }
  }
}
