internal import FoundationEssentials
internal import Glibc
internal import ScenarioEvents
internal import ScenarioPlan
internal import ScenarioTools

/// The results of an exploration that was not finished, kept in a file.
struct ExplorationState: Codable {
  /// The version of the format.
  static let formatVersion = 5

  var version = Self.formatVersion
  /// The identity of what is explored: the case, without its bounds, and the programs.
  var identity: String
  /// The points that were met.
  var points: [FaultPoint]
  /// The results of the trials, in the order in which they ended.
  var results: [ExplorationResult]
  /// The trials whose runs the end of the budget has cut off.
  var cutOff: [CutOffTrial]
  /// The differences between the runs without faults.
  var unstable: UnstableParts

  /// The state in a file; `nil` if there is none that can be read.
  static func read(_ path: String) -> ExplorationState? {
    guard let bytes = try? FileTree.read(path),
      let state = try? JSONDecoder().decode(Self.self, from: Data(bytes)),
      state.version == formatVersion
    else { return nil }
    return state
  }

  /// Writes the state; what was there is replaced at one moment.
  func write(_ path: String) throws(Failure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { return }
    try SavedFile.write(Array(data), to: path)
  }
}

/// Files that explorations leave.
enum SavedFile {
  /// Writes a whole file, by renaming, and the folder that it needs.
  static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    let partial = path + ".part"
    do throws(Failure) {
      // The target may have laid a link there, which must not lead elsewhere.
      unlink(partial)
      try FileTree.write(bytes, to: partial, mode: 0o644, for: .user)
      guard rename(partial, path) == 0 else { throw Failure.system("cannot write \"\(path)\"") }
    } catch {
      unlink(partial)
      var failure = error
      failure.type = "explore.save"
      failure.help = "name a writable folder with \"--save\""
      throw failure
    }
  }
}
