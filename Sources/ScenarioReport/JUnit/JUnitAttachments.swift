internal import Foundations
internal import ScenarioEvents

/// The files that a case has left, as Jenkins, GitLab and Azure read of them: a line each at the end of its
/// standard output.
package struct JUnitAttachments: Sendable {
  /// The largest number of files on a page; one with more is of no use to a reader.
  private static let maximumCount = 100

  private let root: String

  /// Names files by their whole paths.
  package init() {
    root = ""
  }

  /// Names files from a folder, if they lie below it.
  ///
  /// - Parameter root: The folder's absolute path.
  package init(root: String) {
    self.root = root.hasSuffix("/") ? root : root + "/"
  }

  /// The lines for what a case has left.
  ///
  /// Jenkins shows one file of each name, so that only the first is listed; a name that would break the
  /// line, or that is not UTF-8, is left out, and one from which a secret was taken leads nowhere.
  func lines(_ attachments: [Attachment]) -> [String] {
    var names: Set<Substring> = []
    var lines: [String] = []
    for path in attachments.filter({ $0.address == nil }).map(\.path) {
      let name = path.split(separator: "/").last ?? ""
      guard !path.contains(where: \.isNewline), !path.contains("]]"),
        !path.contains(SecretRedactor.placeholder), ReportText.cleaned(path) == path,
        names.insert(name).inserted
      else { continue }
      let shown = path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
      lines.append("[[ATTACHMENT|\(shown)]]")
      if lines.count == Self.maximumCount { break }
    }
    return lines
  }
}
