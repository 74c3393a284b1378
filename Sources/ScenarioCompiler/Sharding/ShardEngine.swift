/// The variables by which one engine gives its jobs their numbers.
struct ShardEngine: Sendable {
  /// The name in messages.
  var name: String
  /// The variable with the number of the job.
  var index: String
  /// The number of the first job there.
  var base = 0
  /// The variable with the number of jobs.
  var total: String
  /// A variable without which the row is not this engine's.
  var requires: String?
  /// The engine's variables for the range of its numbers, where they may have gaps or begin
  /// anywhere.
  var bounds: Bounds?
  /// True if the number of jobs alone means nothing: it is set for every job, or for other rows.
  var totalStandsAlone = false
  /// The setting by which the number of jobs is given, where the engine does not.
  var missingTotal: String?

  /// Variables with the first number and the distance between two.
  struct Bounds: Sendable {
    var first: String
    var step: String
  }

  /// The engines, in the order in which they are looked for.
  static let all: [ShardEngine] = [
    ShardEngine(
      name: "SCENARIO_SHARD_INDEX", index: "SCENARIO_SHARD_INDEX", total: "SCENARIO_SHARD_TOTAL",
      totalStandsAlone: true),
    ShardEngine(
      name: "Bazel", index: "TEST_SHARD_INDEX", total: "TEST_TOTAL_SHARDS", totalStandsAlone: true),
    ShardEngine(
      name: "GoogleTest", index: "GTEST_SHARD_INDEX", total: "GTEST_TOTAL_SHARDS",
      totalStandsAlone: true),
    ShardEngine(
      name: "GitLab", index: "CI_NODE_INDEX", base: 1, total: "CI_NODE_TOTAL",
      requires: "GITLAB_CI", totalStandsAlone: true),
    ShardEngine(name: "CircleCI", index: "CIRCLE_NODE_INDEX", total: "CIRCLE_NODE_TOTAL"),
    ShardEngine(
      name: "Buildkite", index: "BUILDKITE_PARALLEL_JOB", total: "BUILDKITE_PARALLEL_JOB_COUNT"),
    ShardEngine(
      name: "Azure Pipelines", index: "SYSTEM_JOBPOSITIONINPHASE", base: 1,
      total: "SYSTEM_TOTALJOBSINPHASE"),
    ShardEngine(
      name: "Semaphore", index: "SEMAPHORE_JOB_INDEX", base: 1, total: "SEMAPHORE_JOB_COUNT"),
    ShardEngine(
      name: "Bitbucket", index: "BITBUCKET_PARALLEL_STEP", total: "BITBUCKET_PARALLEL_STEP_COUNT"),
    ShardEngine(
      name: "Kubernetes", index: "JOB_COMPLETION_INDEX", total: "SCENARIO_SHARD_TOTAL",
      totalStandsAlone: true,
      missingTotal: "set SCENARIO_SHARD_TOTAL in the pod to the job's spec.completions"),
    ShardEngine(
      name: "Cloud Run", index: "CLOUD_RUN_TASK_INDEX", total: "CLOUD_RUN_TASK_COUNT"),
    ShardEngine(
      name: "AWS Batch", index: "AWS_BATCH_JOB_ARRAY_INDEX", total: "AWS_BATCH_JOB_ARRAY_SIZE"),
    ShardEngine(
      name: "Slurm", index: "SLURM_ARRAY_TASK_ID", total: "SLURM_ARRAY_TASK_COUNT",
      bounds: Bounds(first: "SLURM_ARRAY_TASK_MIN", step: "SLURM_ARRAY_TASK_STEP")),
    // Heroku CI and Cirrus use GitLab's names and count from 0: which of them it is must be said.
    ShardEngine(
      name: "CI_NODE_INDEX without GITLAB_CI", index: "CI_NODE_INDEX", base: -1,
      total: "CI_NODE_TOTAL", totalStandsAlone: true),
  ]

  /// Returns the engine's finding; `nil` if the engine is not there.
  func find(
    _ variables: ShardEnvironment.Variables
  ) throws(ShardError) -> ShardEnvironment.Finding? {
    if let requires, variables[requires] == nil { return nil }
    guard variables[index] != nil || (variables[total] != nil && !totalStandsAlone) else {
      return nil
    }
    guard base >= 0 else {
      throw ShardError(
        "\(variables.text(index)) is set, but not GITLAB_CI: it is not known whether jobs count from 0 or from 1"
      )
    }
    // Not sharded at all: Bazel and GitLab may say so with a total of nothing.
    let count = try variables.number(total)
    if count == 0, totalStandsAlone { return nil }
    guard let position = try variables.number(index) else {
      throw ShardError("\(variables.text(total)) is set, but not \(index)")
    }
    guard let count else {
      throw ShardError(
        "\(variables.text(index)) is set, but not \(total)",
        help: missingTotal ?? "add --shard I/N, or set SCENARIO_SHARD=I/N")
    }
    var names = [index, total]
    var first = base
    var step = 1
    if let bounds {
      guard let least = try variables.number(bounds.first) else {
        throw ShardError("\(variables.text(index)) is set, but not \(bounds.first)")
      }
      first = least
      step = max(1, try variables.number(bounds.step) ?? 1)
      names += [bounds.first] + (variables[bounds.step] == nil ? [] : [bounds.step])
    }
    let texts = names.map(variables.text)
    let distance = position.subtractingReportingOverflow(first)
    guard !distance.overflow, distance.partialValue >= 0,
      distance.partialValue.isMultiple(of: step),
      let shard = Shard(index: distance.partialValue / step + 1, count: count)
    else {
      throw ShardError(
        "\(texts.joined(separator: ", ")): no such shard",
        help: bounds == nil
          ? "\(name) counts from \(base); add --shard I/N if the variables have another meaning"
          : "number the array's tasks without gaps, such as --array=0-9")
    }
    return ShardEnvironment.Finding(shard: shard, engine: name, variables: texts)
  }
}
