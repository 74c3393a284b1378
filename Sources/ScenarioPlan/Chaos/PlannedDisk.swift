package import Patterns
package import ScenarioModel

/// `disk:` of an entry, checked.
package struct PlannedDisk: Sendable, Hashable, Codable {
  /// Globs on the files; a folder that one matches includes everything below it.
  package var files: [GlobPattern]

  /// Creates a disk.
  package init(files: [GlobPattern]) {
    self.files = files
  }

  /// The globs in words.
  var summary: String { "disk \(files.map(\.text).joined(separator: ", "))" }
}

/// `lose: unsynced`, checked.
package struct PlannedCrash: Sendable, Hashable, Codable {
  /// The processes that are killed.
  package var scope: KillScope
  /// Globs on the files that lose something.
  package var files: [GlobPattern]
  /// The loss of names.
  package var names: NameLoss
  /// The number of bytes of the last write that arrive all the same.
  package var torn: Int?

  /// Creates a crash.
  package init(scope: KillScope, files: [GlobPattern], names: NameLoss = .kept, torn: Int? = nil) {
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
  package var crashes: [PlannedCrash] { provider.crashes }

  /// The fault of the entry's disk; `nil` for an entry of another kind.
  package var diskFault: DiskFault? {
    if case .disk = target, case .disk(let fault) = provider { return fault }
    return nil
  }
}
