import Glibc

/// The variables of a continuous integration system or of a terminal which change what a runner does.
///
/// Tests say themselves which of them hold: what the machine that runs the tests has set must not decide.
enum OutsideVariables {
  private static let names: Set = ["CI", "TF_BUILD", "NO_COLOR", "FORCE_COLOR", "XML_OUTPUT_FILE"]
  private static let beginnings = [
    "SCENARIO_", "GITHUB_", "GITLAB_", "CI_", "CIRCLE", "BUILDKITE", "BAZEL_", "TEST_",
    "TESTBRIDGE_", "SLURM_", "KUBERNETES_", "JOB_", "AWS_BATCH_", "CLOUD_RUN_", "GTEST_",
    "SEMAPHORE_", "BITBUCKET_", "SYSTEM_", "GIT_COMMIT", "BUILD_SOURCEVERSION", "DRONE_",
    "TRAVIS_", "APPVEYOR_", "CODEBUILD_", "TEAMCITY_", "JENKINS_", "BUILD_", "bamboo_",
  ]

  /// What makes `env` leave them out.
  static let removal: [String] = inherited().filter(isOutside).flatMap { ["-u", $0] }

  private static func isOutside(_ name: String) -> Bool {
    names.contains(name) || beginnings.contains { name.hasPrefix($0) }
  }

  private static func inherited() -> [String] {
    var names: [String] = []
    var entry = environ
    while let variable = entry.pointee {
      names.append(String(String(cString: variable).prefix { $0 != "=" }))
      entry += 1
    }
    return names.sorted()
  }
}
