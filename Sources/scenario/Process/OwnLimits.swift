internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioReport
internal import ScenarioRunner

/// Whether this process and its machine leave room for what a command does, asked before it does anything: a runtime that
/// gets no memory or no thread ends the process without a word.
enum OwnLimits {
  /// Prepares a process that runs targets: called once, before any other thread exists.
  ///
  /// - Throws: Exit code 3, if not even one case could be run.
  static func prepare() throws {
    RunnerProcess.prepare()
    if let shortage { throw refusal(shortage) }
  }

  /// Makes the doctor's report; where the limits leave no room for its trials, of nothing but them.
  static func report(_ examine: () -> DoctorReport) -> DoctorReport {
    RunnerProcess.prepare()
    if let refused = RunNeeds.callShortage() {
      return DoctorReport(findings: [
        DoctorFinding(.fail, "calls of this process", refused.message, help: [refused.help])
      ])
    }
    guard let shortage else { return examine() }
    return DoctorReport(findings: [
      DoctorFinding(.fail, "limits of this process", shortage.message, help: [shortage.help])
    ])
  }

  /// - Throws: Exit code 3, if not even files can be read.
  static func requireReading() throws {
    if let shortage = RunnerLimits.current().readingShortage { throw refusal(shortage) }
  }

  /// The number of cases that run at once where so many are wanted; says why they are fewer.
  static func jobs(_ wanted: Int) -> Int {
    let (count, reason) = RunnerLimits.current(jobs: wanted).jobs(wanted)
    if let reason {
      let cases = count == 1 ? "1 case runs" : "\(count) cases run"
      Console.report(
        "note: \(cases) at once, not \(wanted): \(reason.message)\nhelp: \(reason.help)\n")
    }
    return count
  }

  private static var shortage: MachineShortage? {
    RunNeeds.procShortage() ?? RunNeeds.callShortage()
      ?? RunnerLimits.current(jobs: 1).shortage
  }

  private static func refusal(_ shortage: MachineShortage) -> ArgumentParser.ExitCode {
    Console.refusal(.undecided, shortage.message, help: shortage.help, .smallLimits)
  }
}
