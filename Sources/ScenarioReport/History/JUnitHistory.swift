internal import Foundations
internal import ScenarioEvents

/// Reads the run of a JUnit report, of any program that writes such.
package enum JUnitHistory {
  /// The names under which tools write the commit of a run among the properties, without regard to case.
  private static let commitNames: Set<String> = [
    "scenario.label.commit", "commit", "commit.sha", "commit_sha", "git.commit", "git_commit",
    "git.commit.id", "git.commit.sha", "git.sha", "git_sha", "vcs.revision", "revision",
    "build.commit", "ci_commit_sha", "github_sha", "buildkite_commit", "circle_sha1",
    "build_sourceversion", "bitbucket_commit",
  ]

  /// Reads a report.
  ///
  /// - Parameter name: the name of the report.
  /// - Returns: `nil` for a document of another kind: coverage and the like often lie beside reports.
  /// - Throws: If the document is damaged, or is no XML.
  package static func run(of bytes: [UInt8], name: String) throws(HistoryProblem) -> ReportedRun? {
    let report = JUnitReader(bytes)
    let isReport = report.root == "testsuites" || report.root == "testsuite"
    guard isReport || report.root.isEmpty else { return nil }
    if let problem = report.problem {
      throw HistoryProblem(
        "this \(isReport ? "JUnit report is damaged" : "is not a JUnit report"): \(problem.message)",
        line: problem.line, help: "copy it again, or leave it out")
    }
    guard isReport else {
      throw HistoryProblem(
        "this is not a JUnit report: it has no element", line: 1,
        help: "name JUnit reports in UTF-8, or leave this one out")
    }
    var run = ReportedRun(source: name)
    run.begin =
      report.properties[JUnitPropertyName.start].flatMap(instant)
      ?? report.suites.compactMap { instant($0.timestamp) }.min()
    run.labels = labels(report.properties)
    run.planDigest = report.properties["scenario.plan.sha256"]
    run.cases = cases(of: report)
    return run
  }

  // MARK: - Parts

  private static func labels(_ properties: [String: String]) -> [String: String] {
    var labels: [String: String] = [:]
    // Sorted, so that of several commits always the same is taken.
    for (name, value) in properties.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
      if name.hasPrefix(JUnitPropertyName.labelPrefix) {
        labels[String(name.dropFirst(JUnitPropertyName.labelPrefix.count))] = value
      } else if commitNames.contains(name.lowercased()), labels["commit"] == nil {
        labels["commit"] = value
      }
    }
    return labels
  }

  /// Reads a suite's timestamp: ISO 8601, with or without a zone; one without is in UTC, as our own are.
  private static func instant(_ text: String) -> WallInstant? {
    if let instant = try? WallInstant(text: text) { return instant }
    // `+0100` is ISO 8601 as well, and not RFC 3339.
    let digits = text.suffix(4)
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }),
      let sign = text.dropLast(4).last, sign == "+" || sign == "-"
    else { return nil }
    return try? WallInstant(text: text.dropLast(2) + ":" + text.suffix(2))
  }

  private static func cases(of report: JUnitReader) -> [ReportedCase] {
    var cases: [ReportedCase] = []
    /// The latest case of a place and a name, among `cases`.
    var latest: [String: Int] = [:]
    // What went wrong outside of all cases stands as one in our own reports.
    for entry in report.entries where entry.className != "scenario.Run" {
      let suite = report.suites[entry.suite]
      let digest =
        suite.properties["scenario.plan.sha256"] ?? report.properties["scenario.plan.sha256"]
      // Our own suites are named by their files, whatever the dialect.
      let place =
        digest == nil
        ? (entry.className.isEmpty ? suite.name : entry.className) : suite.name
      var found = ReportedCase(
        place: place, name: entry.name, outcome: outcome(entry.outcome),
        failedAttempts: entry.failedAttempts, duration: entry.duration, message: entry.message)
      if let digest {
        found.origin = suite.properties[JUnitPropertyName.start].map { startedAt in
          ReportedCase.origin(
            planDigest: digest, startedAt: startedAt,
            shard: suite.properties["scenario.shard"] ?? "", file: suite.name)
        }
        found.name = original(of: found.name) { latest["\(place)\n\($0)"] != nil }
      }
      let key = "\(found.place)\n\(found.name)"
      if digest == nil, let earlier = latest[key], cases[earlier].outcome.isBad {
        // The same case again behind a failure is its next attempt, as Gradle and others write it.
        found.failedAttempts += cases[earlier].failedAttempts + 1
        found.message = found.message ?? cases[earlier].message
        if let before = cases[earlier].duration {
          found.duration = before + (found.duration ?? .zero)
        }
        cases[earlier] = found
      } else {
        latest[key] = cases.count
        cases.append(found)
      }
    }
    return cases
  }

  /// The case of which one is a repetition, if that one is in the report: `NAME` for `NAME #2`.
  private static func original(of name: String, isKnown: (String) -> Bool) -> String {
    guard let mark = name.lastIndex(of: "#"), let number = Int(name[name.index(after: mark)...])
    else { return name }
    let original = ReportedCase.original(of: name, repetition: number)
    return isKnown(original) ? original : name
  }

  private static func outcome(_ outcome: JUnitReader.Outcome) -> CaseResult.Outcome {
    switch outcome {
    case .passed: .passed
    case .failed: .failed
    case .errored: .errored
    case .skipped: .skipped
    }
  }
}
