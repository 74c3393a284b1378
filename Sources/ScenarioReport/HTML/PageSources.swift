internal import Foundations
internal import ScenarioEvents

/// The files that a page shows lines of, each with its text.
struct PageSources {
  /// The maximum number of bytes of a file, and of all.
  private static let fileLimit = 512 << 10
  private static let limit = 4 << 20

  private let text: @Sendable (String) -> String?
  /// The files of what went wrong, in order, and those of everything else.
  private var wrong: [String] = []
  private var others: [String] = []
  private var known: Set<String> = []
  private var knownWrong: Set<String> = []
  /// The files that the run has read.
  private var read: Set<String> = []

  /// Creates an empty collection.
  init(_ text: @escaping @Sendable (String) -> String?) {
    self.text = text
  }

  /// Adds the files of an event.
  mutating func add(_ event: Event) {
    switch event.kind {
    case .runStarted(let run): read = Set((run.sources ?? []).map(\.file))
    case .caseStarted(let description):
      if known.insert(description.file).inserted { others.append(description.file) }
    case .failed(let failure):
      guard let file = failure.range?.file, knownWrong.insert(file).inserted else { return }
      wrong.append(file)
    default: break
    }
  }

  /// The texts by path as a JSON object: those of failures first, as long as there is room; `null` stands for the text of a
  /// file that the run has read and that is not to be had any more.
  var json: String {
    var room = Self.limit
    var members: [String] = []
    for file in wrong + others.filter({ !knownWrong.contains($0) }) {
      guard let text = text(file) else {
        if read.contains(file) { members.append("\(PageJSON.text(file)):null") }
        continue
      }
      guard text.utf8.count <= min(room, Self.fileLimit) else { continue }
      room -= text.utf8.count
      members.append("\(PageJSON.text(file)):\(PageJSON.text(text))")
    }
    return "{\(members.joined(separator: ",\n"))}"
  }
}
