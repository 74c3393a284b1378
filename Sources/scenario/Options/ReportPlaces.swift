internal import ArgumentParser
internal import Foundations
internal import ScenarioCompiler
internal import ScenarioEvents
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// Checks the paths that a command writes to against those that it reads.
enum ReportPlaces {
  /// Refuses to write over a file that the command reads, whichever of its names is used.
  ///
  /// - Parameters:
  ///   - outputs: the paths that are to be written to.
  ///   - inputs: the paths that were read, or will be.
  /// - Throws: Exit code 2.
  static func require(_ outputs: [String], apartFrom inputs: some Sequence<String>) throws {
    guard !outputs.isEmpty else { return }
    var read: [RegularFileIdentity: String] = [:]
    for path in inputs {
      if let file = RegularFileIdentity(of: path) { read[file] = path }
    }
    for path in outputs {
      guard let file = RegularFileIdentity(of: path), let input = read[file] else { continue }
      let isSame = path == input
      throw Refusal(
        isSame
          ? "\"\(path)\" would be read and overwritten"
          : "\"\(path)\" would be overwritten, but it is the same file as the input \"\(input)\"",
        help: "give the output a path of its own"
      ).reported(.badArguments)
    }
  }
}

extension ReportOptions {
  /// The files that are written.
  var files: [String] { report.filter { $0.path != "-" }.compactMap(\.path) }
}

extension PlannedInput {
  /// The files that a run of it reads.
  var readFiles: Set<String> {
    var files = Set(sources.keys).union(inputs.map(\.path))
    for planned in plan.cases { files.formUnion([planned.file] + (planned.usedFiles ?? [])) }
    return files
  }

  /// The files that its cases were written in, as they were read.
  var sourceDigests: [SourceDigest] {
    let files = Set(plan.cases.flatMap { [$0.file] + ($0.usedFiles ?? []) })
    return inputs.compactMap { input in
      guard files.contains(input.path), let sha256 = input.sha256 else { return nil }
      return SourceDigest(file: input.path, sha256: sha256)
    }
  }
}
