internal import Foundations
internal import OrderedCollections
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// Plans one target; `address` is what random values in it depend on.
  mutating func plan(_ settings: TargetSettings, at address: String) -> PlannedTarget {
    checkPlaces(of: settings.files)
    // What is laid before anything starts cannot wait for what is captured.
    let (captures, builds) = (data.captures, data.stepBuilds)
    (data.captures, data.stepBuilds) = (CaptureNames(), [:])
    let files = settings.files.compactMap { planFile($0, address) }
    (data.captures, data.stepBuilds) = (captures, builds)
    var target = PlannedTarget(
      command: planCommand(settings, address), commandRange: settings.commandRange,
      environment: planEnvironment(settings.environment, address),
      passedEnvironment: settings.passedEnvironment.map(\.value),
      files: files,
      standardInput: settings.standardInput.flatMap {
        data.text($0, in: EvaluationSite.scenario.at("\(address).stdin"))
      })
    if case .shell = settings.command { target.isShellCommand = true }
    target.workingDirectory = planFolder(settings.workingDirectory, address)
    target.limits = settings.limits
    target.clock = settings.clock?.value
    target.readiness = settings.ready.map { plan($0, at: address) }
    target.terminal = settings.terminal?.value
    target.stop = settings.stop.map { plan($0, hasTerminal: target.terminal != nil) }
    if target.terminal != nil { target.stop = target.stop ?? .hangUp }
    checkTerminal(of: settings)
    let home = folder(at: settings.commandRange)
    if home != folder { target.folder = home }
    return target
  }

  private mutating func planCommand(
    _ settings: TargetSettings, _ address: String
  ) -> [PlannedText] {
    switch settings.command {
    case .shell(let text):
      let script = data.text(text, in: EvaluationSite.scenario.at("\(address).command"))
      checkScript(script, at: settings.commandRange)
      return [PlannedText("/bin/sh"), PlannedText("-c")] + (script.map { [$0] } ?? [])
    case .arguments(let arguments):
      if arguments.isEmpty {
        report(
          "the command is empty", code: .badCommand, at: settings.commandRange,
          help: "name a program, as in command: [./program]")
      }
      let planned = texts(arguments, at: "\(address).command")
      if planned.first?.literal == "" {
        report(
          "the program's name is empty", code: .badCommand, at: settings.commandRange,
          help: "name a program, as in command: [./program]")
      }
      return planned
    }
  }

  /// Reports a shell command that runs nothing, and so does all that is expected of it.
  mutating func checkScript(_ script: PlannedText?, at range: SourceRange) {
    guard let text = script?.literal, ShellText.runsNothing(text) else { return }
    report(
      "the command is empty", code: .badCommand, at: range,
      help: "write a shell command, or [PROGRAM, ARGUMENT, …]")
  }

  /// `working_directory:` below the scenario's directory.
  mutating func planFolder(_ node: DataNode?, _ address: String) -> PlannedText? {
    guard let node,
      let path = data.text(node, in: EvaluationSite.scenario.at("\(address).working_directory"))
    else { return nil }
    if let literal = path.literal, let problem = PathText.problem(inDirectory: literal) {
      report(
        problem, code: .badPlace, at: node.range,
        help: "write a plain path in the case's directory, such as app")
    }
    return path
  }

  mutating func planEnvironment(
    _ fields: [DataField], _ address: String
  ) -> [PlannedVariable] {
    fields.compactMap { field in
      let name = field.key.value
      if name.isEmpty || name.contains("=") {
        report(
          "\"\(name)\" is not a variable name", code: .badName, at: field.key.range,
          help: "write a name that is not empty and has no \"=\"")
      }
      let place = EvaluationSite.scenario.at("\(address).env.\(name)")
      return data.text(field.value, in: place).map { PlannedVariable(name: name, value: $0) }
    }
  }

  /// Checks that no file is also a folder of another file.
  private mutating func checkPlaces(of fixtures: [FileFixture]) {
    var places: [Substring: SourceRange] = [:]
    for fixture in fixtures {
      if case .folder = fixture.content { continue }
      places[fixture.path.value[...]] = fixture.path.range
    }
    for fixture in fixtures {
      let path = fixture.path.value
      for slash in path.indices where path[slash] == "/" {
        guard let place = places[path[..<slash]] else { continue }
        let folder = path[..<slash]
        data.diagnostics.report(
          Diagnostic(
            "\"\(folder)\" is a file, but \"\(path)\" needs a folder there",
            code: .badPlace, at: fixture.path.range, help: "write another path for one of them",
            notes: [Diagnostic.Note("\"\(folder)\" is written here", at: place)]))
      }
    }
  }

  /// Plans one file; `address` is what random values in it depend on.
  mutating func planFile(_ fixture: FileFixture, _ address: String) -> PlannedFile? {
    let path = fixture.path
    if let problem = PathText.problem(inDirectory: path.value) {
      report(
        problem, code: .badPlace, at: path.range,
        help: "write a plain path in the case's directory, such as data/users.json")
    }
    if let mode = fixture.mode, mode.value > 0o7777 {
      report(
        "the mode \"0\(String(mode.value, radix: 8))\" has invalid bits", code: .badMode,
        at: mode.range,
        help: "write permission bits, such as 0644 or 0755")
    }
    let place = EvaluationSite.scenario.at("\(address).files.\(path.value)")
    let content: PlannedFile.Content?
    var usualMode: UInt32 = 0o644
    switch fixture.content {
    case .text(let node): content = data.text(node, in: place).map(PlannedFile.Content.text)
    case .json(let node): content = data.data(node, in: place).map(PlannedFile.Content.json)
    case .copy(let source): content = .copy(path: existingFile(source))
    case .link(let node): content = data.text(node, in: place).map(PlannedFile.Content.link)
    case .folder: (content, usualMode) = (.folder, 0o755)
    }
    return content.map { content in
      PlannedFile(
        path: path.value, content: content, mode: fixture.mode?.value ?? usualMode,
        range: path.range)
    }
  }
}
