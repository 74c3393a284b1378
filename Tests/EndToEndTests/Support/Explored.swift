import Glibc

/// A folder with a scenario file, and what exploring it says.
final class Explored {
  let folder: TemporaryFolder
  let path: String
  var outcome = BuiltRunner.Outcome(exitCode: -1, output: "", errorOutput: "")

  init(_ text: String, _ options: [String] = []) throws {
    folder = try TemporaryFolder()
    path = folder.write("version: 2\n" + text + "\n", to: "case.yaml")
    outcome = try explore(options)
  }

  deinit {
    for name in reproducers + TemporaryFolder.names(saved) { unlink("\(saved)/\(name)") }
    rmdir(saved)
  }

  var saved: String { "\(folder.path)/__explored__" }

  var reproducers: [String] {
    TemporaryFolder.names(saved).filter { $0.hasSuffix(".yaml") }
  }

  func explore(_ options: [String]) throws -> BuiltRunner.Outcome {
    try BuiltRunner.run(["explore", path] + options)
  }

  func text(of reproducer: String) -> String {
    TemporaryFolder.read("\(saved)/\(reproducer)") ?? ""
  }
}
