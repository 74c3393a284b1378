internal import ArgumentParser
internal import Foundations
internal import ScenarioRunner

/// What the caller says of a run, for its reports and for `scenario history`.
struct LabelOptions: ParsableArguments {
  /// One `NAME=VALUE`.
  struct Label {
    var name: String
    var value: String
  }

  @Option(
    help: ArgumentHelp(
      "Write a label into the reports, such as commit=3f2a1b0. May be given more than once.",
      discussion: "In CI systems, the label commit is set by default.", valueName: "name=value"),
    transform: Self.label)
  var label: [Label] = []

  func validate() throws {
    var seen: Set<String> = []
    for label in label where !seen.insert(label.name).inserted {
      throw ValidationError("the label \"\(label.name)\" is given twice")
    }
  }

  private static let lengthLimit = 1_000

  static func label(_ text: String) throws -> Label {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let isName = parts[0].utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: "."):
        true
      default: false
      }
    }
    guard parts.count == 2, isName, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw ValidationError(
        "\"\(text)\" is not a label; write NAME=VALUE with letters, digits, \".\", \"_\" and \"-\" in the name"
      )
    }
    guard parts[1].utf8.count <= lengthLimit, !parts[1].contains(where: \.isNewline) else {
      throw ValidationError(
        "the value of the label \"\(parts[0])\" must be one line of at most \(lengthLimit) bytes")
    }
    return Label(name: String(parts[0]), value: String(parts[1]))
  }

  /// The labels, with the commit that the CI system's variables say unless one is given.
  func labels(_ environment: [String: String]) -> [String: String] {
    var labels: [String: String] = [:]
    labels["commit"] = CommitVariables.commit(environment)
    for label in label { labels[label.name] = label.value }
    return labels
  }
}

/// The variables in which CI systems say the commit that is tested.
enum CommitVariables {
  /// GitHub Actions, GitLab and Woodpecker, Buildkite, CircleCI, Jenkins, Azure Pipelines, Bitbucket, Semaphore,
  /// Drone, Travis, AppVeyor, AWS CodeBuild.
  private static let names = [
    "GITHUB_SHA", "CI_COMMIT_SHA", "BUILDKITE_COMMIT", "CIRCLE_SHA1", "GIT_COMMIT",
    "BUILD_SOURCEVERSION", "BITBUCKET_COMMIT", "SEMAPHORE_GIT_SHA", "DRONE_COMMIT_SHA",
    "TRAVIS_COMMIT", "APPVEYOR_REPO_COMMIT", "CODEBUILD_RESOLVED_SOURCE_VERSION",
  ]

  /// Returns the commit that the first of the variables says; `nil` if none says one.
  ///
  /// Some systems put a branch or `HEAD` there: only what looks like the name of an object counts (7 to 64
  /// hexadecimal digits).
  static func commit(_ environment: [String: String]) -> String? {
    names.lazy.compactMap { environment[$0] }.first { value in
      (7...64).contains(value.utf8.count)
        && value.utf8.allSatisfy { byte in
          Character(Unicode.Scalar(byte)).isHexDigit
        }
    }
  }
}
