package import Foundations
package import ScenarioModel
internal import ScenarioSyntax

/// The mistakes of files: those that `scenario check` reports, and an editor shows.
package enum FileReview {
  /// The mistakes in what is left of files with errors, which are ones whatever the missing part says.
  ///
  /// Scenarios in which no error stands are reported with all that is wrong with them, except for what may follow from
  /// errors in what stands at the file's top.
  ///
  /// - Parameters:
  ///   - broken: The rest of files with errors.
  ///   - known: What reading has found in them.
  package static func mistakes(
    ofBroken broken: [ScenarioFile], known: [Diagnostic], options: PlannerOptions
  ) -> [Diagnostic] {
    let places = Set(known.compactMap { $0.range.map { [$0.file, "\($0.line)"] } })
    var mistakes: [Diagnostic] = []
    for file in broken {
      var found = Planner.plan(files: [file], options: options).diagnostics
        .filter(\.code.standsAlone)
      if let rest = BrokenFile(file, known + mistakes) {
        let reported = Set(found.map { [$0.message, $0.range?.description ?? ""] })
        found += Planner.plan(files: [rest.file], options: options).diagnostics.filter {
          rest.holds($0) && !reported.contains([$0.message, $0.range?.description ?? ""])
        }
      }
      mistakes += found.filter { diagnostic in
        guard let range = diagnostic.range else { return false }
        return !places.contains([range.file, "\(range.line)"])
      }
    }
    return mistakes
  }

  /// The mistakes in one file, whose text may be newer than the one on disk.
  package struct Outcome: Sendable {
    /// The mistakes, those of files that it uses among them.
    package var diagnostics: [Diagnostic]
    /// The text of each file that was read for it, by the path that messages show.
    package var sources: [String: String]
  }

  /// Reads and plans one file.
  ///
  /// A file that says nothing to run, and not what, is there for others, and is only read.
  ///
  /// - Parameters:
  ///   - bytes: The file's text.
  ///   - path: Its path as messages show it.
  ///   - access: Answers questions about the files that it uses.
  ///   - options: What planning depends on.
  package static func review(
    _ bytes: [UInt8], path: String, access: FileAccess, options: PlannerOptions
  ) -> Outcome {
    let (read, found) = ScenarioFile.parsePart(bytes: bytes, path: path)
    guard let read else { return Outcome(diagnostics: found, sources: [:]) }
    let isBroken = found.hasErrors
    var joiner = FileJoiner(access)
    joiner.know(isBroken ? nil : read, path: path)
    let file = joiner.join(read)
    var diagnostics = found + joiner.diagnostics
    // What a file lacks that it includes, others would seem to lack as well.
    if isBroken || file.shared.isPartial {
      diagnostics += mistakes(ofBroken: [file], known: diagnostics, options: options)
    } else if file.holdsScenario || file.hasTarget {
      diagnostics += Planner.check(files: [file], options: options).diagnostics
    }
    return Outcome(
      diagnostics: diagnostics.sorted(byFiles: [path]), sources: joiner.sources)
  }
}

extension ScenarioFile {
  /// True if it says what to do or to expect, and not only what others can use.
  package var holdsScenario: Bool {
    !scenarios.isEmpty || defaults.steps != nil || defaults.expect != nil
      || defaults.explore != nil
  }

  /// True if it says what to run, itself or by files that it uses.
  package var hasTarget: Bool {
    defaults.target ?? shared.target != nil || !defaults.targets.isEmpty
  }
}

extension [Diagnostic] {
  fileprivate var hasErrors: Bool { contains { $0.severity == .error } }
}
