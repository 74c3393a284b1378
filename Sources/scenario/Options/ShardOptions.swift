internal import ArgumentParser
internal import Cryptography
internal import Foundations
internal import Glibc
internal import ScenarioCompiler
internal import ScenarioEvents
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// Options that deal cases out to shards.
struct ShardWeightOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Distribute cases by: time (longest first), count (in turn) or hash (of the name).",
      discussion: "The default is time if earlier reports are found, otherwise count.",
      valueName: "time|count|hash"),
    transform: Self.strategy)
  var shardBy: ShardStrategy?

  @Option(
    help: ArgumentHelp(
      "Read the durations of cases from these earlier reports: JUnit XML or event streams.",
      discussion:
        "All shards must read the same files. May be given more than once (default: .scenario/timings.json).",
      valueName: "glob"))
  var timings: [String] = []

  static func strategy(_ text: String) throws -> ShardStrategy {
    guard let strategy = ShardStrategy(rawValue: text) else {
      throw ValidationError("\"\(text)\" is not one of time, count, hash")
    }
    return strategy
  }

  /// Deals the cases out.
  func assignment(of cases: [PlannedCase], to count: Int) throws -> ShardAssignment {
    let times = CaseTimings(try TimingFiles.read(timings))
    let strategy = shardBy ?? (times.isEmpty ? .count : .time)
    var names = ProjectFileNames(project: .current())
    let items = cases.map { planned in
      ShardPartition.Item(
        identifier: planned.identifier,
        duration: times.duration(of: planned, calledBy: &names),
        isSkipped: planned.skip != nil)
    }
    return ShardPartition(strategy: strategy, count: count).assignment(of: items)
  }
}

/// The part of a plan that is run.
struct ShardOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Run shard I of N of the plan; auto reads both from the variables of the CI system.",
      discussion: "The variable SCENARIO_SHARD does the same.", valueName: "i/n|auto"))
  var shard: String?

  @OptionGroup var weights: ShardWeightOptions

  /// The part of a plan that is this process's to run.
  func part(of input: PlannedInput, environment: [String: String]) throws -> PlanPart {
    guard let found = try wanted(environment) else { return PlanPart(plan: input.plan) }
    let digest = try PlanDigest.of(input)
    let shard = found.shard
    let assignment =
      try input.assignment ?? weights.assignment(of: input.plan.cases, to: shard.count)
    guard assignment.count == shard.count else {
      throw Refusal(
        "the plan was made for \(assignment.count) shards, but this is shard \(shard)",
        help: "start \(assignment.count) shards, or make a new plan with --shards \(shard.count)"
      ).reported(.refusedShard)
    }
    let places = assignment.places(of: shard.index)
    var part = PlanPart(
      plan: ExecutionPlan(cases: places.map { input.plan.cases[$0] }))
    part.digest = digest
    part.places = places
    part.shard = ShardDescription(
      index: shard.index, count: shard.count, strategy: assignment.strategy.rawValue,
      assignment: SecureDigest.sha256("\(assignment.count) \(assignment.shards)".utf8),
      planned: input.plan.cases.count)
    Console.report(
      "shard \(shard) (\(found.source)) by \(assignment.strategy.rawValue): \(places.count) of"
        + " \(input.plan.cases.count) cases of plan \(digest.prefix(12))\n")
    return part
  }

  /// Returns whether a part is asked for.
  func areGiven(_ environment: [String: String]) -> Bool {
    shard != nil || !(environment[Self.variable] ?? "").isEmpty
  }

  private static let variable = "SCENARIO_SHARD"

  /// Returns the shard that is meant, and the source of that; `nil` where there is none.
  private func wanted(_ environment: [String: String]) throws -> (shard: Shard, source: String)? {
    let variable = environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
    guard let text = shard ?? variable else { return nil }
    let source = shard == nil ? Self.variable : "--shard"
    guard text == "auto" else {
      guard let shard = Shard(text) else {
        throw Refusal(
          "there is no shard \"\(text)\" (\(source))",
          help: "write I/N with I from 1 to N, such as 1/4, or auto"
        ).reported(.refusedShard)
      }
      return (shard, source)
    }
    if shard != nil, let variable, variable != "auto" {
      guard let shard = Shard(variable) else {
        throw Refusal(
          "there is no shard \"\(variable)\" (\(Self.variable))",
          help: "write I/N with I from 1 to N, such as 1/4, or auto"
        ).reported(.refusedShard)
      }
      return (shard, Self.variable)
    }
    do throws(ShardError) {
      guard let finding = try ShardEnvironment.find(environment) else {
        Console.report("no CI variable sets the shard: all cases run here\n")
        return nil
      }
      return (finding.shard, "\(finding.engine): \(finding.variables.joined(separator: ", "))")
    } catch {
      throw Refusal(
        "the shard is ambiguous: \(error.message)", help: error.help
      ).reported(.refusedShard)
    }
  }
}

/// The part of a plan that one process runs.
struct PlanPart {
  /// The cases to run.
  var plan: ExecutionPlan
  /// The name of the whole plan; `nil` where nobody has asked for it yet, as it takes a sixth of a short run.
  var digest: String?
  /// The places of the cases in the whole plan; `nil` where they are all.
  var places: [Int]?
  /// The part that it is; `nil` for all of it.
  var shard: ShardDescription?

  init(plan: ExecutionPlan) {
    self.plan = plan
  }
}

/// Earlier reports on disk.
enum TimingFiles {
  /// The usual folder of times.
  static let usual = ".scenario/timings"

  /// The reports that globs name; the usual ones without any.
  ///
  /// - Throws: Exit code 2 if a name without wildcards is no file: it would silently change who runs what.
  static func read(_ globs: [String]) throws -> [(path: String, bytes: [UInt8])] {
    var paths: Set<String> = []
    for glob in globs {
      paths.formUnion(FileArguments.isGlob(glob) ? FileArguments.matching(glob) : [glob])
    }
    if !globs.isEmpty, paths.isEmpty {
      Console.report(
        "no earlier reports match \(globs.map { "\"\($0)\"" }.joined(separator: ", "))\n")
    }
    if globs.isEmpty {
      let record = Project.current().path(of: TimingsFile.name)
      if FileTree.isFolder(usual) {
        paths = Set(FileTree.files(below: usual).map { "\(usual)/\($0)" })
      } else if access(record, F_OK) == 0 {
        paths = [record]
      }
    }
    return try paths.sorted().map { path in
      do throws(FileReadError) {
        return (path, try FileTree.read(path, limit: 1 << 30))
      } catch {
        throw Refusal(
          error.message(path: path), help: "name earlier reports, such as --timings 'reports/*.xml'"
        ).reported(.unreadableFile)
      }
    }
  }
}
