internal import Foundations
internal import ScenarioEvents

/// A link of the page to a file beside it, or anywhere on this machine.
struct PageLink {
  /// The path as it is shown.
  let shown: String
  /// The address; `nil` if the path leads nowhere because a secret was taken out of it.
  let address: String?

  /// Leads to a file.
  ///
  /// A page is often carried elsewhere with what lies beside it, so that such a file is named from there.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - folder: the folder of the page, absolute; `nil` if it is not known.
  init(to file: Attachment, from folder: String?) {
    let path = file.path
    let prefix = folder.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    let isBeside = prefix.map(path.hasPrefix) ?? false
    shown = isBeside ? String(path.dropFirst(prefix?.count ?? 0)) : path
    guard file.leadsSomewhere else {
      address = nil
      return
    }
    if let whole = file.address {
      let scheme = "file://"
      let beginning = scheme + PercentEncoding.encodedPath((prefix ?? "").utf8)
      let isNamedFromThere = isBeside && whole.hasPrefix(beginning)
      address = isNamedFromThere ? "./\(whole.dropFirst(beginning.count))" : whole
      return
    }
    let encoded = PercentEncoding.encodedPath(shown.utf8)
    // A name with a colon would begin with a scheme.
    address = isBeside ? "./\(encoded)" : "file://\(encoded)"
  }
}
