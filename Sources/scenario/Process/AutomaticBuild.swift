/// Whether this process is part of an automatic build.
enum AutomaticBuild {
  /// True if the variables of this process say so.
  static var isOn: Bool { variable != nil }

  /// The variable of this process that says so; `nil` if none does.
  static var variable: String? { variable(in: ProcessEnvironment.all) }

  /// Returns the variable that says so: CI, as most services set it, or one by which another service is known.
  static func variable(in environment: [String: String]) -> String? {
    if let word = environment["CI"], !word.isEmpty {
      return ["0", "false", "no"].contains(word.lowercased()) ? nil : "CI"
    }
    let service = services.first { names in
      names.allSatisfy { environment[$0].map { !$0.isEmpty } ?? false }
    }
    return service?.first
  }

  /// The variables that a service sets in each build, all of a list.
  private static let services = [
    // Azure Pipelines, TeamCity, AWS CodeBuild, Jenkins, Bamboo, GitLab
    ["TF_BUILD"], ["TEAMCITY_VERSION"], ["CODEBUILD_BUILD_ID"], ["JENKINS_URL"],
    ["JENKINS_HOME", "BUILD_ID"], ["bamboo_buildKey"], ["GITLAB_CI"],
  ]
}
