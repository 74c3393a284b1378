internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioCompiler
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// Running a plan that was saved before.
struct SavedPlanOptions: ParsableArguments {
  @Option(
    name: .customLong("plan"),
    help: ArgumentHelp(
      "Run exactly the plan in this file, written by \"scenario plan -o\".",
      valueName: "file"))
  var path: String?

  /// A plan may be as large as this.
  private static let sizeLimit = 2 << 30

  /// Reads what is to be run: the saved plan if there is one, or the plan of the selection.
  ///
  /// - Parameter whenInvalid: Called with what is wrong with the files before the exit.
  func input(
    _ selection: SelectionOptions, networkMode: NetworkSettings.Mode?,
    defaultTimeout: Nanoseconds?, recorded: LastFailedCases?,
    whenInvalid: (ScenarioInput) throws -> Void
  ) throws -> PlannedInput {
    guard let path else {
      return try selection.plan(
        networkMode: networkMode, defaultTimeout: defaultTimeout, recorded: recorded,
        whenInvalid: whenInvalid)
    }
    guard selection.isDefault, networkMode == nil, defaultTimeout == nil else {
      throw Refusal(
        "\"--plan\" runs exactly the plan in \"\(path)\" and allows no other selection",
        help:
          "remove the files, filters, seed, variables, timeout and network mode, or make a new plan with them"
      ).reported(.badArguments)
    }
    let saved = try Self.read(path)
    guard saved.runner == Version.text else {
      throw Refusal(
        "cannot run the plan \"\(path)\": scenario \(saved.runner) wrote it, but this is"
          + " scenario \(Version.text)",
        help:
          "plan and run with the same version: write it again with \"scenario plan … -o \(path)\""
      ).reported(.refusedPlan)
    }
    try Self.requireUnchanged(saved, path: path)
    var input = PlannedInput(plan: saved.plan, sources: [:]) { identifier, mutations in
      saved.replanned(identifier, mutations)
    }
    input.casesOf = { saved.allCases(of: $0) }
    input.inputs = saved.inputs
    input.wishes = saved.wishes
    input.assignment = saved.shards
    return input
  }

  /// Reads a saved plan, or says why it cannot be and exits.
  static func read(_ path: String) throws -> SavedPlan {
    let bytes: [UInt8]
    do {
      bytes = try FileTree.read(path, limit: sizeLimit)
    } catch {
      throw Refusal(
        error.message(path: path), help: "name a file that \"scenario plan -o FILE\" wrote"
      ).reported(.unreadableFile)
    }
    let saved: SavedPlan
    do {
      saved = try SavedPlan(json: bytes, runner: Version.text)
    } catch {
      throw Refusal(
        "cannot run the plan \"\(path)\": \(error.message)", help: error.help
      ).reported(.refusedPlan)
    }
    guard try PlanDigest.of(saved) == saved.digest else {
      throw Refusal(
        "cannot run the plan \"\(path)\": the file was changed: its digest does not match",
        help: "write it again with \"scenario plan … -o FILE\""
      ).reported(.refusedPlan)
    }
    return saved
  }

  /// A plan is only good for the files that it was made from.
  private static func requireUnchanged(_ saved: SavedPlan, path: String) throws {
    let changed = PlanInputs.changed(saved.inputs)
    guard !changed.isEmpty else { return }
    let shown = changed.prefix(10).map { input in
      if input.isSelection {
        let folder = input.path.dropLast(PlanInput.scenarioFiles.count)
        return "\"\(folder)\" contains other scenario files"
      }
      if input.sha256 == nil { return "\"\(input.path)\" was added" }
      let isThere = access(input.path, F_OK) == 0
      return "\"\(input.path)\" \(isThere ? "has changed" : "was removed")"
    }
    let more = changed.count > 10 ? ", and \(changed.count - 10) more" : ""
    throw Refusal(
      "the plan \"\(path)\" is stale: \(shown.joined(separator: ", "))\(more)",
      help: "make a new plan with \"scenario plan … -o \(path)\", in the folder where it will run"
    ).reported(.refusedPlan)
  }
}

extension SavedPlan {
  /// Plans a case anew from its file with some of the changes to its data.
  fileprivate func replanned(_ identifier: String, _ mutations: Set<Int>) -> PlannedCase? {
    guard let planned = cases.first(where: { $0.identifier == identifier }) else { return nil }
    let input = ScenarioInput.read([planned.file], root: wishes.root, inputs: wishes.inputs)
    var options = plannerOptions
    options.reduced = (identifier, mutations)
    return Planner.plan(files: input.files, options: options).plan?.cases.first
  }

  /// Plans all cases of a file, whether the plan holds them or not.
  fileprivate func allCases(of file: String) -> [PlannedCase] {
    plannerOptions.planningAll(
      ScenarioInput.read([file], root: wishes.root, inputs: wishes.inputs).files)
  }

  private var plannerOptions: PlannerOptions {
    var options = SelectionOptions.plannerOptions(seed: wishes.seed)
    options.networkMode = wishes.network.flatMap(NetworkSettings.Mode.init(rawValue:))
    options.only = .ignored
    return options
  }
}
