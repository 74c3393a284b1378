internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import MockEngine
internal import ScenarioEvents
internal import ScenarioReport
internal import ScenarioRunner

/// The place of a recorded scenario, with the files beside it.
struct ScenarioPlace: Sendable {
  /// The scenario's file, as it was named.
  let path: String
  /// The scenario's name.
  let name: String
  /// The current folder, without symbolic links.
  let here: String
  /// The folder of the scenario's file; empty for the current one.
  let folder: String
  /// The permission bits that files are made without (umask(2)).
  private let mask: UInt32

  /// Examines a place, and refuses one that is taken.
  init(path: String, name: String?) throws {
    self.path = path
    self.name = name ?? PathText.baseName(of: path)
    folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    here = FileTree.canonicalPath(".") ?? "."
    mask = FileModeMask.current()
    guard here != "/" else {
      throw Console.refusal(
        .invalidInput,
        "a command cannot be recorded in the root folder, where every file would count as its own",
        help: "change to the folder with its files", .badArguments)
    }
    let beside = [fixtureFolder, "__recordings__/\(FileName.of(self.name)).yaml"].map(inFolder)
    for path in [path] + beside where FileStatus(entry: path) != nil {
      throw Console.refusal(
        .invalidInput, "\"\(path)\" exists already",
        help: "name another file with -o, or remove it", .badArguments)
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
    var error = ReportError("write", path, errorNumber: errno)
    error.help = error.help.map { "\($0); the command was not run" }
    throw NewFile.refusal(error)
  }

  /// The folder, beside the scenario, of its fixtures.
  private var fixtureFolder: String { "fixtures/\(FileName.of(name))" }

  /// The folder of the scenario's fixtures: another one if the command has made it itself.
  var freeFixtureFolder: String {
    Self.names(fixtureFolder).first { FileStatus(entry: inFolder($0)) == nil } ?? fixtureFolder
  }

  /// Paths for the scenario's file, the best first: the command may have written the one that was meant.
  var freePaths: [String] {
    if let ending = PathText.yamlEnding(of: path) {
      return Self.names(String(path.dropLast(ending.count))).map { $0 + ending }
    }
    return Self.names(path)
  }

  private static func names(_ name: String) -> [String] {
    [name] + (2...99).map { "\(name)-\($0)" }
  }

  /// Permission bits as a scenario has them: `nil` for those of a file that is made without more ado.
  func reported(mode: UInt32) -> UInt32? {
    if mode == 0o666 & ~mask { return nil }
    return mode == 0o777 & ~mask ? 0o755 : mode
  }

  /// Permission bits of a folder as a scenario has them: `nil` for those of one that is made without more ado.
  func reported(folderMode mode: UInt32) -> UInt32? { mode == 0o777 & ~mask ? nil : mode }

  /// Returns whether a file has the default permission bits.
  func isUsual(mode: UInt32) -> Bool { [0o666 & ~mask, 0o777 & ~mask].contains(mode) }

  /// A path that counts from the scenario's folder, as it is seen from here.
  func inFolder(_ path: String) -> String { folder.isEmpty ? path : "\(folder)/\(path)" }

  /// A path from the root, as it is seen from the scenario's folder.
  func fromScenario(_ path: String) -> String {
    let base = folder.hasPrefix("/") ? folder : folder.isEmpty ? here : "\(here)/\(folder)"
    return PathFromHere.relative(path, from: base)
  }

  /// Makes the folder of the scenario's file.
  func makeFolder() throws(ReportError) {
    _ = try NewFile.makeFolders(leadingTo: path)
  }
}

/// The variables that a recorded command is given.
struct PassedVariables {
  /// The variables with their real values.
  let real: [(name: String, value: String)]
  /// The variables as the scenario has them: without secrets.
  let shown: [(name: String, value: String)]
  /// Values that no file may show.
  let secrets: [String]

  /// Words in names of variables whose values are confidential.
  private static let marks = [
    "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "_KEY", "APIKEY",
  ]

  /// Reads variables of the runner's own.
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
      isSecret($0.name) ? ($0.name, Redaction.placeholder) : $0
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
