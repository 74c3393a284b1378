internal import Foundations
internal import Glibc
internal import ScenarioPlan

/// The names of findings' files: the scenario, and the folder of its file where findings of several
/// folders may come together.
struct FindingFileNames {
  private var counts: [String: Int] = [:]

  init(_ cases: [PlannedCase]) {
    for plannedCase in cases {
      guard let exploration = plannedCase.exploration else { continue }
      counts[Self.place(plannedCase, exploration), default: 0] += 1
    }
  }

  /// The stem of a case's files.
  func stem(of plannedCase: PlannedCase, _ exploration: PlannedExploration) -> String {
    let stem = Self.stem(of: plannedCase, exploration)
    // Folders of one name in several places.
    guard counts[Self.place(plannedCase, exploration), default: 0] > 1 else { return stem }
    return "\(stem)-\(String(ContentDigest.of(plannedCase.identifier.utf8), radix: 36))"
  }

  private static func place(_ plannedCase: PlannedCase, _ exploration: PlannedExploration) -> String
  {
    "\(exploration.folder)/\(FileName.of(stem(of: plannedCase, exploration)))"
  }

  private static func stem(
    of plannedCase: PlannedCase, _ exploration: PlannedExploration
  ) -> String {
    let parent = plannedCase.file.parentFolder
    let name = "\(parent)/".hasPrefix("./") ? String(parent.dropFirst(2)) : parent
    let isBeside = exploration.folder.parentFolder == parent || name.isEmpty || name == "."
    guard !isBeside, let last = parent.split(separator: "/").last else {
      return plannedCase.fileName
    }
    return "\(last)-\(plannedCase.fileName)"
  }
}
