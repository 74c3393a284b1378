internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioSyntax

/// The title of a recording, which names its scenario and the scenario's file.
struct RecordingTitle: Hashable {
  /// The name of the scenario, with its row.
  let scenario: String
  /// The path of the scenario's file; empty if the title names none.
  ///
  /// A bare name is that of a file in the folder above the recording's; every other path counts
  /// from the recording's folder.
  let file: String

  /// The text of the recording's first line, behind its mark.
  var text: String { file.isEmpty ? scenario : "\(scenario) (\(file))" }

  /// Creates the title of the recording of a scenario.
  ///
  /// - Parameters:
  ///   - file: the scenario's file.
  ///   - place: the recording's path.
  init(of scenario: String, in file: String, at place: String) {
    self.scenario = scenario.filter { !$0.isNewline }
    self.file = Self.path(of: Self.absolute(file), from: Self.realFolder(place.parentFolder))
      .filter { !$0.isNewline }
  }

  /// Reads the text of a title.
  init(_ text: String) {
    if text.hasSuffix(")"), let mark = text.ranges(of: " (").last {
      scenario = String(text[..<mark.lowerBound])
      file = String(text[mark.upperBound...].dropLast())
    } else {
      scenario = text
      file = ""
    }
  }

  /// Returns whether a recording at a place is of a scenario in a file, whatever its name.
  func isOf(_ file: String, at place: String) -> Bool {
    guard !self.file.isEmpty else { return false }
    return Self.absolute(path(at: place)) == Self.absolute(file)
  }

  /// The path of the scenario's file, of a recording at a place.
  func path(at place: String) -> String {
    PathText.join(
      Self.realFolder(place.parentFolder), file.contains("/") ? file : "../" + file)
  }

  /// Returns whether a recording at a place may be replaced by one with another title.
  ///
  /// It may if its scenario is certainly gone: it was in the same file, and that has no such name.
  func isReplaceable(by own: String, of file: String, at place: String) -> Bool {
    if text == own { return true }
    return isOf(file, at: place) && ScenarioNames(of: file)?.mayHave(scenario) == false
  }

  /// The path of a file whose folder is without links, so that two paths of one file are the same.
  private static func absolute(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return PathText.join(realFolder(path.parentFolder), name)
  }

  /// The path of a folder without links, as far as it is there.
  private static func realFolder(_ path: String) -> String {
    if let real = FileTree.realPath(path) { return real }
    let plain = PathText.join("", path)
    let parent = plain.parentFolder
    guard parent != plain, plain != "." else { return plain }
    return PathText.join(realFolder(parent), String(plain.split(separator: "/").last ?? ""))
  }

  /// The path of a file as it is written in a title; both paths are absolute.
  private static func path(of file: String, from folder: String) -> String {
    let file = file.split(separator: "/")
    let folder = folder.split(separator: "/")
    let shared = zip(file, folder).prefix { $0 == $1 }.count
    let rise = folder.count - shared
    let rest = file.dropFirst(shared)
    if rise == 1, rest.count == 1 { return String(file.last ?? "") }
    let up = rise == 0 ? ["."] : [Substring](repeating: "..", count: rise)
    return (up + rest).joined(separator: "/")
  }
}
