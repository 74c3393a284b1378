/// The case's folders, as snapshots call them.
///
/// An output that says `$HOME` itself is written `\$HOME`; in front of a name, and nowhere else, `\\` is a
/// backslash.
struct PlaceNames {
  private let places: [(path: [UInt8], name: [UInt8])]

  init(_ directory: CaseDirectory) {
    places = [
      (directory.work, "$DIR"), (directory.home, "$HOME"), (directory.temporary, "$TMPDIR"),
      (directory.root, "$ROOT"),
    ].map { (Array($0.0.utf8), Array($0.1.utf8)) }
  }

  /// A text that is the same in each run.
  func named(_ text: String) -> String {
    let marks = [UInt8(ascii: "/"), UInt8(ascii: "$")]
    let bytes = Array(text.utf8)
    guard bytes.contains(where: { marks.contains($0) }) else { return text }
    var result: [UInt8] = []
    var backslashes = 0
    var rest = bytes[...]
    while let byte = rest.first {
      if marks.contains(byte), let (length, name, isPath) = place(rest) {
        result += [UInt8](repeating: UInt8(ascii: "\\"), count: backslashes + (isPath ? 0 : 1))
        result += name
        rest = rest.dropFirst(length)
        backslashes = 0
        continue
      }
      backslashes = byte == UInt8(ascii: "\\") ? backslashes + 1 : 0
      result.append(byte)
      rest = rest.dropFirst()
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns whether a text leads to one of the folders.
  func occur(in text: String) -> Bool {
    places.contains { text.contains(String(decoding: $0.path, as: UTF8.self)) }
  }

  /// The place with whose path or name bytes begin.
  private func place(
    _ bytes: ArraySlice<UInt8>
  ) -> (length: Int, name: [UInt8], isPath: Bool)? {
    for (path, name) in places {
      if bytes.starts(with: path) { return (path.count, name, true) }
      if bytes.starts(with: name) { return (name.count, name, false) }
    }
    return nil
  }
}
