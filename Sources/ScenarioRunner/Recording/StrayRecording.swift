internal import Foundations
internal import Glibc
internal import MockEngine
internal import ScenarioEvents
internal import ScenarioPlan

/// A recording whose scenario is gone: it has another name now, or its file has.
struct StrayRecording {
  /// The largest recording that is read.
  private static let sizeLimit = 64 << 20
  /// The maximum number of recordings that a failure names.
  private static let countLimit = 3

  /// The path of the file.
  let path: String
  /// The name of the scenario that it was made of.
  let scenario: String
  private let text: String

  /// Finds the recordings beside a case's own place that nothing uses.
  static func all(beside place: String, of plannedCase: PlannedCase) -> [StrayRecording] {
    let folder = place.parentFolder
    let scenarios = (try? FileTree.read(plannedCase.file)).map {
      String(decoding: $0, as: UTF8.self)
    }
    let names = FileTree.files(below: folder).filter { name in
      !name.contains("/") && name.hasSuffix(".yaml") && !name.hasSuffix(".partial.yaml")
    }
    return names.compactMap { name in
      let path = PathText.join(folder, name)
      guard path != place, let bytes = try? FileTree.read(path, limit: sizeLimit) else {
        return nil
      }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let title = Recording.title(of: text),
        isGone(title, plannedCase.file, scenarios ?? "")
      else { return nil }
      return StrayRecording(path: path, scenario: parts(of: title).scenario, text: text)
    }
  }

  /// Returns whether the scenario that a title names is no longer there.
  ///
  /// - Parameters:
  ///   - file: the scenario file beside which the recording is.
  ///   - text: the text of that file.
  static func isGone(_ title: String, _ file: String, _ text: String) -> Bool {
    let (scenario, fileName) = parts(of: title)
    guard fileName == file.split(separator: "/").last.map(String.init) else {
      return !fileName.isEmpty && access(PathText.join(file.parentFolder, fileName), F_OK) != 0
    }
    // The row of a matrix stands behind the name.
    let row = scenario.hasSuffix("]") ? scenario.ranges(of: " [").last : nil
    let name = row.map { String(scenario[..<$0.lowerBound]) } ?? scenario
    return !text.contains(name)
  }

  private static func parts(of title: String) -> (scenario: String, file: String) {
    guard title.hasSuffix(")"), let mark = title.ranges(of: " (").last else { return (title, "") }
    return (
      String(title[..<mark.lowerBound]), String(title[mark.upperBound...].dropLast())
    )
  }

  /// Returns whether the recording has a request to an address.
  private func has(_ url: String) -> Bool {
    let end = url.firstIndex { $0 == "?" || $0 == " " } ?? url.endIndex
    return text.contains(String(url[..<end]))
  }

  /// Returns the recordings that have the request that nothing answers, or the only one that nothing uses, and what makes
  /// the first the case's own; `nil` where the failure is another one, or the case has a recording.
  static func hints(
    for failure: Failure, of plannedCase: PlannedCase
  ) -> (lines: [String], help: String)? {
    guard failure.type == "network.unmatched", let place = plannedCase.network?.recordingPath,
      access(place, F_OK) != 0,
      let url = failure.message.split(separator: " ").first(where: { $0.contains("://") })
    else { return nil }
    let all = all(beside: place, of: plannedCase)
    var likely = all.filter { $0.has(String(url)) }
    if likely.isEmpty, all.count == 1 { likely = all }
    guard let first = likely.first else { return nil }
    let lines = likely.prefix(countLimit).map { recording in
      "the recording \(recording.path) is of \"\(recording.scenario)\", a scenario that is gone"
        + (recording.has(String(url)) ? ", and has this request" : "")
    }
    return (
      lines,
      "if it is of this scenario, rename it: mv \(quoted(first.path)) \(quoted(place))"
    )
  }

  private static func quoted(_ path: String) -> String {
    let isPlain = path.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0)
        || "-_./=+,".unicodeScalars.contains($0)
    }
    return isPlain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
  }
}
