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
    let scenarios = ScenarioNames(of: plannedCase.file)
    let names = FileTree.files(below: folder).filter { name in
      !name.contains("/") && name.hasSuffix(".yaml") && !name.hasSuffix(".partial.yaml")
    }
    return names.compactMap { name in
      let path = PathText.join(folder, name)
      guard path != place, let bytes = try? FileTree.read(path, limit: sizeLimit) else {
        return nil
      }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let title = Recording.title(of: text).map(RecordingTitle.init),
        isGone(title, at: path, plannedCase.file, scenarios)
      else { return nil }
      return StrayRecording(path: path, scenario: title.scenario, text: text)
    }
  }

  /// Returns whether the scenario that a title names seems to be no longer there.
  ///
  /// - Parameters:
  ///   - place: the recording's path.
  ///   - file: the scenario file beside which the recording is.
  ///   - names: the names in that file; `nil` if they are unknown.
  static func isGone(
    _ title: RecordingTitle, at place: String, _ file: String, _ names: ScenarioNames?
  ) -> Bool {
    guard title.isOf(file, at: place) else {
      return !title.file.isEmpty && access(title.path(at: place), F_OK) != 0
    }
    return names?.mayHave(title.scenario) == false
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
      "if it is of this scenario, rename it: mv \(ShellWord.quoted(first.path)) \(ShellWord.quoted(place))"
    )
  }
}
