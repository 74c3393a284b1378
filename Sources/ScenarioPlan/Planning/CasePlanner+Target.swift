internal import ScenarioModel

extension CasePlanner {
  /// The target; `nil` with a report if the scenario has none.
  mutating func planTarget() -> PlannedTarget? {
    guard let settings = body.target else {
      report(
        "the scenario \"\(entry.name.value)\" has no target", code: .missingTarget,
        at: entry.name.range,
        help: "say what to run, here or at the file's top: target: { command: [./program] }")
      return nil
    }
    checkPlaces(of: settings.files)
    var target = PlannedTarget(
      command: planCommand(settings), commandRange: settings.commandRange,
      environment: planEnvironment(settings.environment),
      passedEnvironment: settings.passedEnvironment.map(\.value),
      files: settings.files.compactMap { planFile($0) },
      standardInput: settings.standardInput.flatMap {
        data.text($0, in: DataPlace.scenario.at("target.stdin"))
      })
    target.limits = settings.limits
    let home = folder(at: settings.commandRange)
    if home != folder { target.folder = home }
    return target
  }

  private mutating func planCommand(_ settings: TargetSettings) -> [PlannedText] {
    switch settings.command {
    case .shell(let text):
      let script = data.text(text, in: DataPlace.scenario.at("target.command"))
      return [PlannedText("/bin/sh"), PlannedText("-c")] + (script.map { [$0] } ?? [])
    case .arguments(let arguments):
      if arguments.isEmpty {
        report(
          "the command is empty", code: .badCommand, at: settings.commandRange,
          help: "name a program, as in command: [./program]")
      }
      let planned = texts(arguments, at: "target.command")
      if planned.first?.literal == "" {
        report(
          "the program's name is empty", code: .badCommand, at: settings.commandRange,
          help: "name a program, as in command: [./program]")
      }
      return planned
    }
  }

  private mutating func planEnvironment(_ fields: [DataField]) -> [PlannedVariable] {
    fields.compactMap { field in
      let name = field.key.value
      if name.isEmpty || name.contains("=") {
        report(
          "\"\(name)\" cannot be the name of a variable", code: .badName, at: field.key.range,
          help: "a name is not empty and holds no \"=\"")
      }
      let place = DataPlace.scenario.at("target.env.\(name)")
      return data.text(field.value, in: place).map { PlannedVariable(name: name, value: $0) }
    }
  }

  /// What is a file cannot be a folder of another file.
  private mutating func checkPlaces(of fixtures: [FileFixture]) {
    var places: [Substring: SourceRange] = [:]
    for fixture in fixtures { places[fixture.path.value[...]] = fixture.path.range }
    for fixture in fixtures {
      let path = fixture.path.value
      for slash in path.indices where path[slash] == "/" {
        guard let place = places[path[..<slash]] else { continue }
        let folder = path[..<slash]
        data.diagnostics.report(
          Diagnostic(
            "\"\(folder)\" is a file, and \"\(path)\" needs it to be a folder",
            code: .badPlace, at: fixture.path.range, help: "give one of them another path",
            notes: [Diagnostic.Note("\"\(folder)\" is written here", at: place)]))
      }
    }
  }

  private mutating func planFile(_ fixture: FileFixture) -> PlannedFile? {
    let path = fixture.path
    if let problem = PathText.problem(inDirectory: path.value) {
      report(
        problem, code: .badPlace, at: path.range,
        help: "write a plain path below the case's directory, such as data/users.json")
    }
    if let mode = fixture.mode, mode.value > 0o7777 {
      report(
        "the mode \"0\(String(mode.value, radix: 8))\" has bits that no file has", code: .badMode,
        at: mode.range,
        help: "write permission bits, such as 0644 or 0755")
    }
    let place = DataPlace.scenario.at("target.files.\(path.value)")
    let content: PlannedFile.Content?
    switch fixture.content {
    case .text(let node): content = data.text(node, in: place).map(PlannedFile.Content.text)
    case .json(let node): content = data.data(node, in: place).map(PlannedFile.Content.json)
    case .copy(let source): content = .copy(path: existingFile(source))
    }
    return content.map { content in
      PlannedFile(
        path: path.value, content: content, mode: fixture.mode?.value ?? 0o644, range: path.range)
    }
  }
}
