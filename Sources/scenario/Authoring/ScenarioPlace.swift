internal import ArgumentParser
internal import Glibc
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// Where a recorded scenario is written, with what lies beside it.
struct ScenarioPlace: Sendable {
  /// The scenario's file, as it was named.
  let path: String
  /// The scenario's name.
  let name: String
  /// The current folder, without symbolic links.
  let here: String
  /// The folder of the scenario's file; empty for the current one.
  let folder: String

  /// Looks at a place, and refuses one where something stands.
  init(path: String, name: String?) throws {
    self.path = path
    self.name = name ?? NewCommand.baseName(of: path, without: [".yaml", ".yml"])
    folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    here = FileTree.canonicalPath(".") ?? "."
    guard here != "/" else {
      Console.tell(
        Diagnostic(
          "a command cannot be recorded in the root folder, where every file is one of its own",
          code: .badArguments, at: nil, help: "go to the folder of what it works with"))
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
    }
    let beside = [fixtureFolder, "__recordings__/\(FileName.of(self.name)).yaml"].map(inFolder)
    for path in [path] + beside where FileStatus(entry: path) != nil {
      Console.tell(
        Diagnostic(
          "\"\(path)\" exists already", code: .badArguments, at: nil,
          help: "name another file with -o, or remove it"))
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
    }
    try requireRoom()
  }

  /// Refuses a place where nothing can be written, before anything has been done for real.
  private func requireRoom() throws {
    var place = folder.isEmpty ? "." : folder
    while FileTree.canonicalPath(place) == nil {
      guard let slash = place.lastIndex(of: "/") else {
        place = "."
        break
      }
      place = slash == place.startIndex ? "/" : String(place[..<slash])
    }
    // Permissions do not tell all: a file system may take no files, or none any more.
    var template = Array("\(place)/.scenario-record.XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor < 0 else {
      close(descriptor)
      unlink(template)
      return
    }
    let reason = String(cString: strerror(errno))
    Console.tell(
      Diagnostic(
        "cannot write \"\(path)\": \"\(place)\": \(reason)", code: .badArguments, at: nil,
        help: "name another file with -o; the command was not run"))
    throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
  }

  /// The folder of files that are laid into the scenario, beside it.
  var fixtureFolder: String { "fixtures/\(FileName.of(name))" }

  /// A path that counts from the scenario's folder, as it is seen from here.
  func inFolder(_ path: String) -> String { folder.isEmpty ? path : "\(folder)/\(path)" }

  /// A path from the root, as it is seen from the scenario's folder.
  func fromScenario(_ path: String) -> String {
    let base = folder.hasPrefix("/") ? folder : folder.isEmpty ? here : "\(here)/\(folder)"
    return PathFromHere.relative(path, from: base)
  }

  /// Makes the folder of the scenario's file.
  func makeFolder() throws(Failure) {
    do throws(ReportError) {
      _ = try NewFile.makeFolders(leadingTo: path)
    } catch {
      throw Failure(category: .error, type: "System", message: error.message)
    }
  }
}

/// The variables that a recorded command is given.
struct PassedVariables {
  /// With the values that they have.
  let real: [(name: String, value: String)]
  /// As the scenario has them: without secrets.
  let shown: [(name: String, value: String)]
  /// Values that no file may show.
  let secrets: [String]

  /// Words in names of variables whose values are nobody's business.
  private static let marks = [
    "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "_KEY", "APIKEY",
  ]

  /// Takes variables of the runner's own.
  ///
  /// - Parameter secrets: Names of those that are secret whatever they are called.
  init(_ names: [String], secrets: [String]) {
    let environment = ProcessEnvironment.all
    let values = names.compactMap { name in environment[name].map { (name: name, value: $0) } }
    func isSecret(_ name: String) -> Bool {
      secrets.contains(name) || Self.marks.contains { name.uppercased().contains($0) }
    }
    real = values
    shown = values.map {
      isSecret($0.name) ? ($0.name, SecretRedactor.placeholder) : $0
    }
    // The shell has put some of them into the arguments, whatever the command is given.
    let known = environment.filter {
      isSecret($0.key) && $0.value.utf8.count >= SecretRedactor.minimumLength
    }
    self.secrets =
      values.filter { isSecret($0.name) }.map(\.value)
      + known.sorted { $0.key < $1.key }.map(\.value)
  }
}
