internal import Foundations
internal import ProtocolBuffers

/// The .proto files that scenarios name, each set of them read once.
struct ProtoCache: Sendable {
  private struct Key: Hashable {
    var paths: [String]
    var roots: [String]
  }

  private var pools: [Key: (pool: DescriptorPool, problems: [ProtoProblem])] = [:]

  /// The types of files, and what is wrong with them.
  ///
  /// - Parameter range: the place in the scenario file, for mistakes that have none.
  mutating func read(
    _ paths: [String], roots: [String], _ options: PlannerOptions, at range: SourceRange
  ) -> (pool: DescriptorPool?, problems: [Diagnostic]) {
    let key = Key(paths: paths, roots: roots)
    let found =
      pools[key] ?? ProtoLoader.load(paths, roots: roots, read: options.readFile)
    pools[key] = found
    let problems = found.problems.map { problem in
      guard let location = problem.location else {
        return Diagnostic(
          "\(problem.file): \(problem.message)", code: .badProto, at: range, help: problem.help)
      }
      return Diagnostic(
        problem.message, code: .badProto,
        at: SourceRange(
          file: problem.file, line: location.line, column: location.column,
          length: location.length), help: problem.help)
    }
    return (problems.isEmpty ? found.pool : nil, problems)
  }
}
