import ScenarioCompiler
import Testing

@Suite("Which shard the environment says this is")
struct ShardEnvironmentTests {
  /// What an engine sets in its second job of four.
  struct Row: Sendable, CustomTestStringConvertible {
    var engine: String
    var variables: [String: String]
    var testDescription: String { engine }
  }

  private static let rows = [
    Row(
      engine: "SCENARIO_SHARD_INDEX",
      variables: ["SCENARIO_SHARD_INDEX": "1", "SCENARIO_SHARD_TOTAL": "4"]),
    Row(engine: "Bazel", variables: ["TEST_SHARD_INDEX": "1", "TEST_TOTAL_SHARDS": "4"]),
    Row(engine: "GoogleTest", variables: ["GTEST_SHARD_INDEX": "1", "GTEST_TOTAL_SHARDS": "4"]),
    Row(
      engine: "GitLab",
      variables: ["GITLAB_CI": "true", "CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "4"]),
    Row(engine: "CircleCI", variables: ["CIRCLE_NODE_INDEX": "1", "CIRCLE_NODE_TOTAL": "4"]),
    Row(
      engine: "Buildkite",
      variables: ["BUILDKITE_PARALLEL_JOB": "1", "BUILDKITE_PARALLEL_JOB_COUNT": "4"]),
    Row(
      engine: "Azure Pipelines",
      variables: ["SYSTEM_JOBPOSITIONINPHASE": "2", "SYSTEM_TOTALJOBSINPHASE": "4"]),
    Row(engine: "Semaphore", variables: ["SEMAPHORE_JOB_INDEX": "2", "SEMAPHORE_JOB_COUNT": "4"]),
    Row(
      engine: "Bitbucket",
      variables: ["BITBUCKET_PARALLEL_STEP": "1", "BITBUCKET_PARALLEL_STEP_COUNT": "4"]),
    Row(
      engine: "Kubernetes", variables: ["JOB_COMPLETION_INDEX": "1", "SCENARIO_SHARD_TOTAL": "4"]),
    Row(
      engine: "Cloud Run", variables: ["CLOUD_RUN_TASK_INDEX": "1", "CLOUD_RUN_TASK_COUNT": "4"]),
    Row(
      engine: "AWS Batch",
      variables: ["AWS_BATCH_JOB_ARRAY_INDEX": "1", "AWS_BATCH_JOB_ARRAY_SIZE": "4"]),
    Row(
      engine: "Slurm",
      variables: [
        "SLURM_ARRAY_TASK_ID": "8", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "7",
        "SLURM_ARRAY_TASK_MAX": "10", "SLURM_ARRAY_TASK_STEP": "1",
      ]),
  ]

  @Test("Each engine's second of four jobs is shard 2/4", arguments: rows)
  func engine(row: Row) throws {
    let finding = try #require(try ShardEnvironment.find(row.variables))

    #expect(finding.shard == Shard(index: 2, count: 4))
    #expect(finding.engine == row.engine)
    for (name, value) in row.variables where name.hasSuffix("INDEX") {
      #expect(finding.variables.contains("\(name)=\(value)"))
    }
  }

  @Test("Without any one of its variables an engine is not guessed at", arguments: rows)
  func partial(row: Row) throws {
    let needed = row.variables.keys.filter { !$0.hasSuffix("_MAX") && !$0.hasSuffix("_STEP") }
    #expect(!needed.isEmpty)
    for name in needed {
      for value in [nil, ""] {
        var variables = row.variables
        variables[name] = value
        guard let found = try? ShardEnvironment.find(variables) else { continue }
        Issue.record("\(found) without \(name)")
      }
    }
  }

  @Test("An index beyond the total, a word or a negative number is refused", arguments: rows)
  func contradictory(row: Row) {
    let index = row.variables.keys.first { key in
      ["INDEX", "_JOB", "_STEP", "PHASE", "TASK_ID"].contains { key.hasSuffix($0) }
        && !key.contains("TOTAL") && !key.hasPrefix("SLURM_ARRAY_TASK_STEP")
    }
    for value in ["99", "two", "-1", "1.5", " 1", "99999999999999999999999"] {
      var variables = row.variables
      variables[index ?? ""] = value
      #expect(throws: ShardError.self, "\(value)") { try ShardEnvironment.find(variables) }
    }
  }

  @Test("Nothing is found where nothing is set, or where Bazel has not sharded")
  func none() throws {
    #expect(try ShardEnvironment.find([:]) == nil)
    #expect(try ShardEnvironment.find(["HOME": "/", "CI": "true"]) == nil)
    #expect(
      try ShardEnvironment.find(["TEST_SHARD_INDEX": "0", "TEST_TOTAL_SHARDS": "0"]) == nil)
    // GitLab says this in every job that is not parallel.
    #expect(try ShardEnvironment.find(["GITLAB_CI": "true", "CI_NODE_TOTAL": "1"]) == nil)
  }

  @Test("The first row that fits wins: a job of Bazel within a job of GitLab is Bazel's")
  func order() throws {
    let variables = [
      "TEST_SHARD_INDEX": "0", "TEST_TOTAL_SHARDS": "3", "GTEST_SHARD_INDEX": "0",
      "GTEST_TOTAL_SHARDS": "3", "GITLAB_CI": "true", "CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "4",
    ]
    let finding = try #require(try ShardEnvironment.find(variables))
    #expect(finding.engine == "Bazel")
    #expect(finding.shard == Shard(index: 1, count: 3))
  }

  @Test("GitLab's names without GITLAB_CI are refused: others count from 0 with them")
  func herokuOrCirrus() {
    let error = #expect(throws: ShardError.self) {
      try ShardEnvironment.find(["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "4"])
    }
    #expect(error?.message.contains("GITLAB_CI") == true)
  }

  @Test("A pod without a total is told to set it")
  func pod() {
    let error = #expect(throws: ShardError.self) {
      try ShardEnvironment.find(["JOB_COMPLETION_INDEX": "0"])
    }
    #expect(error?.help.contains("SCENARIO_SHARD_TOTAL") == true)
  }

  @Test("A total of ours without any index is refused: every job would run everything")
  func totalAlone() {
    #expect(throws: ShardError.self) {
      try ShardEnvironment.find(["SCENARIO_SHARD_TOTAL": "4"])
    }
  }

  @Test("An array of Slurm may begin anywhere and go in steps, and may have no gaps")
  func slurm() throws {
    func array(_ id: Int, _ count: Int, _ least: Int, _ step: Int) -> [String: String] {
      [
        "SLURM_ARRAY_TASK_ID": "\(id)", "SLURM_ARRAY_TASK_COUNT": "\(count)",
        "SLURM_ARRAY_TASK_MIN": "\(least)", "SLURM_ARRAY_TASK_STEP": "\(step)",
      ]
    }
    #expect(try ShardEnvironment.find(array(4, 5, 0, 2))?.shard == Shard(index: 3, count: 5))
    #expect(try ShardEnvironment.find(array(10, 3, 10, 1))?.shard == Shard(index: 1, count: 3))
    // --array=1,3,7
    #expect(throws: ShardError.self) { try ShardEnvironment.find(array(7, 3, 1, 1)) }
    #expect(throws: ShardError.self) { try ShardEnvironment.find(array(3, 5, 0, 2)) }
  }

  @Test(
    "I/N is read, and nothing else",
    arguments: [
      "0/4", "5/4", "1/0", "/4", "1/", "1", "1/4/4", "-1/4", "+1/4", "1 / 4", "a/b", "",
      "1/99999999999999999999", "1/2000000",
    ])
  func text(text: String) {
    #expect(Shard("1/4") == Shard(index: 1, count: 4))
    #expect(Shard(text) == nil)
  }
}
