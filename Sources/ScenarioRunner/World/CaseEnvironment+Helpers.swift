internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import Supervisor

extension CaseEnvironment {
  /// The request for a command outside the supervisor: in the case's directory, with the first target's environment.
  func helperRequest(_ helper: PlannedHelper) throws(Failure) -> HelperProcess.Request {
    let target = plannedCase.target
    var words: [String] = []
    for word in helper.command { words.append(try resolve(word)) }
    var environment = try environment(of: target)
    for variable in helper.environment ?? [] {
      environment.removeAll { $0.name == variable.name }
      environment.append((name: variable.name, value: try resolve(variable.value)))
    }
    let searchPath = environment.last { $0.name == "PATH" }?.value ?? ""
    let search = ProgramSearch(
      searchPath: searchPath, workDirectory: directory.work,
      scenarioFolder: plannedCase.folder ?? plannedCase.file.parentFolder)
    guard let program = words.first, let path = search.find(program) else {
      throw Failure.programNotFound(words.first ?? "", searchPath: searchPath, range: helper.range)
    }
    let input = try helper.standardInput.map { text throws(Failure) in
      Array(try resolve(text).utf8)
    }
    var request = HelperProcess.Request(
      path: path, arguments: words, environment: environment.map { "\($0.name)=\($0.value)" },
      directory: try workFolder(helper.workingDirectory, at: helper.range), input: input ?? [])
    request.outputFolder = directory.root
    request.witness = supervisor.commandWitness
    return request
  }

  /// Variables of a program, those of a step in the place of others with their names.
  func environment(
    _ variables: [String], with own: [PlannedVariable]
  ) throws(Failure) -> [String] {
    var variables = variables
    for variable in own {
      variables.removeAll { $0.hasPrefix(variable.name + "=") }
      variables.append("\(variable.name)=\(try resolve(variable.value))")
    }
    return variables
  }

  /// The folder below the case's directory in which a program works; it is made where it is missing.
  func workFolder(_ path: PlannedText?, at range: SourceRange) throws(Failure) -> String {
    guard let path else { return work }
    let name = try resolve(path)
    if let problem = PathText.problem(inDirectory: name) {
      throw Failure(
        category: .error, type: "Launch", message: "working_directory: \(problem)", range: range,
        help: "write a plain path below the case's directory, such as app")
    }
    let folder = "\(work)/\(name)"
    guard !FileTree.isFolder(folder) else { return folder }
    do throws(Failure) {
      try FileTree.makeFolder(folder, mode: 0o755)
    } catch {
      throw error.at(range)
    }
    return folder
  }

  /// Writes a file into the case's directory while targets run.
  func write(_ file: PlannedFile) throws(Failure) {
    do {
      let path = "\(directory.work)/\(file.path)"
      try lay(file, at: path)
      supervisor.commandWitness?.recordWritten(path)
      if plannedCase.clock?.files == .virtual {
        // A link's times are its own, whatever lies behind it.
        try FileTree.stamp(
          path, with: view.reading().wall, isFolder: FileTree.isFolder(path, followsLinks: false))
      }
    } catch {
      throw error.at(file.range)
    }
  }
}
