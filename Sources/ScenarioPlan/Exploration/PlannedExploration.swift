public import ScenarioModel

/// `explore:`, checked: which faults are tried, one run each.
public struct PlannedExploration: Sendable, Hashable, Codable {
  /// Which errors a call is made to fail with.
  public enum Errors: Sendable, Hashable, Codable {
    /// Those that occur in practice.
    case practical
    /// Those that the manual page of the call names.
    case documented
    /// These.
    case among([ErrorNumber])
  }

  /// Entries that see the calls and change nothing, in the order of `points:`; their names are the
  /// author's words.
  public var surveys: [PlannedChaos]
  /// Which errors.
  public var errors: Errors
  /// How long a fault lasts.
  public var modes: [FaultMode]
  /// What goes wrong.
  public var kinds: [FaultKind]
  /// Which calls are points of their own.
  public var grain: FaultGrain
  /// How many runs are made at most.
  public var runLimit: Int?
  /// How long, in real time, new runs begin.
  public var timeLimit: Nanoseconds?
  /// Subjects and programs whose calls are left alone.
  public var ignored: [GlobPattern]
  /// Steps behind the faulted run, whose expectations must hold.
  public var then: [PlannedStep]
  /// The folder of what is found.
  public var folder: String
  /// Whether the author has said which calls: that none of them is made is a mistake then.
  public var isExplicit = false
  /// Where the author wrote it, or the scenario.
  public var range: SourceRange

  /// Creates an exploration.
  public init(
    surveys: [PlannedChaos], errors: Errors = .practical, modes: [FaultMode] = FaultMode.allCases,
    kinds: [FaultKind] = [.error], grain: FaultGrain = .call, runLimit: Int? = nil,
    timeLimit: Nanoseconds? = nil, ignored: [GlobPattern] = [], then: [PlannedStep] = [],
    folder: String, range: SourceRange
  ) {
    self.surveys = surveys
    self.errors = errors
    self.modes = modes
    self.kinds = kinds
    self.grain = grain
    self.runLimit = runLimit
    self.timeLimit = timeLimit
    self.ignored = ignored
    self.then = then
    self.folder = folder
    self.range = range
  }

  /// Why a word of `points:` names no calls; `nil` if it does.
  public static func mistake(inPoint word: String) -> PatternError? {
    do throws(PatternError) {
      _ = try PlannedCall.named(word)
      return nil
    } catch {
      if PlannedFunctions.allocations.names.contains(word) {
        let help = "write \"@alloc\" for all that allocate, or { function: \(word) } in the file"
        return PatternError(error.message, help: help)
      }
      guard !word.hasPrefix("@"), !error.help.contains("did you mean") else { return error }
      return PatternError(
        error.message, help: "a function is written { function: \(word) }; \(error.help)")
    }
  }

  /// What is tried where nobody says which points.
  public static let usualPoints = [
    "@alloc", "@open", "@read", "@write", "@sync", "@rename", "@remove", "@net", "@spawn",
  ]
}

/// What the command line says about exploring; it comes before what files say.
public struct ExplorationWishes: Sendable {
  /// Calls and groups; empty leaves the files' own.
  public var points: [String] = []
  /// How many runs are made at most.
  public var runLimit: Int?
  /// How long, in real time, new runs begin.
  public var timeLimit: Nanoseconds?
  /// The folder of what is found, from the runner's own.
  public var folder: String?

  /// Creates wishes of nothing.
  public init() {}
}
