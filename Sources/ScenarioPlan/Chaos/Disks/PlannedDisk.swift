public import ScenarioModel

/// `disk:` of an entry, checked.
public struct PlannedDisk: Sendable, Hashable, Codable {
  /// Globs on the files; a folder that one names stands for all that is in it.
  public var files: [GlobPattern]

  /// Creates a disk.
  public init(files: [GlobPattern]) {
    self.files = files
  }

  /// The globs in words.
  var summary: String { "disk \(files.map(\.text).joined(separator: ", "))" }
}

/// `lose: unsynced`, checked.
public struct PlannedCrash: Sendable, Hashable, Codable {
  /// Who is killed.
  public var scope: KillScope
  /// Globs on the files that lose something.
  public var files: [GlobPattern]
  /// What becomes of names.
  public var names: NameLoss
  /// How many bytes of the last write arrive all the same.
  public var torn: Int?

  /// Creates a crash.
  public init(scope: KillScope, files: [GlobPattern], names: NameLoss = .kept, torn: Int? = nil) {
    self.scope = scope
    self.files = files
    self.names = names
    self.torn = torn
  }
}

extension PlannedProvider {
  /// The crashes in it, at any depth.
  var crashes: [PlannedCrash] {
    switch self {
    case .crash(let crash): [crash]
    case .sequence(let providers): providers.flatMap(\.crashes)
    case .match(let branches, let otherwise):
      branches.flatMap(\.provider.crashes) + otherwise.crashes
    case .delay(_, _, let then): then.crashes
    case .signal(_, _, let then): then.crashes
    default: []
    }
  }
}

extension PlannedChaos {
  /// The crashes that the entry may bring about.
  public var crashes: [PlannedCrash] { provider.crashes }

  /// What the entry's disk has; `nil` for an entry of another kind.
  public var diskFault: DiskFault? {
    if disk != nil, case .disk(let fault) = provider { return fault }
    return nil
  }
}
