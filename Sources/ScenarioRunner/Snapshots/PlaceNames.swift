internal import ScenarioTools

/// The case's folders, as snapshots call them, and as texts that are compared have them.
///
/// An output that says `$HOME` itself is written `\$HOME` in snapshots; in front of a name, and nowhere else, `\\` is
/// a backslash.
package struct PlaceNames: Sendable {
  private struct Place {
    var path: [UInt8]
    var name: [UInt8]
    var mark: PlaceMark
    /// The mark of the path with a backslash in front of each slash.
    var escapedMark: PlaceMark
  }

  /// The longest path first, as one may lie in another.
  private let places: [Place]

  /// The folders of a case.
  ///
  /// - Parameter work: The working directory; `nil` for the case's own.
  init(_ directory: CaseDirectory, work: String? = nil) {
    places = [
      (work ?? directory.work, "$DIR", PlaceMark.work, PlaceMark.escapedWork),
      (directory.home, "$HOME", .home, .escapedHome),
      (directory.temporary, "$TMPDIR", .temporary, .escapedTemporary),
      (directory.root, "$ROOT", .root, .escapedRoot),
    ].map { path, name, mark, escapedMark in
      Place(
        path: Array(path.utf8), name: Array(name.utf8), mark: mark, escapedMark: escapedMark)
    }.filter { $0.path.count > 1 }.sorted { $0.path.count > $1.path.count }
  }

  /// No folders.
  init() {
    places = []
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

  /// A text that is the same in each run, with a mark in place of each path.
  package func marked(_ text: String) -> String {
    let slash = UInt8(ascii: "/")
    let backslash = UInt8(ascii: "\\")
    let bytes = Array(text.utf8)
    guard bytes.contains(slash), !places.isEmpty else { return text }
    let spellings = places.flatMap { place in
      [
        (path: place.path, mark: Array(place.mark.text.utf8)),
        (
          path: place.path.flatMap { $0 == slash ? [backslash, slash] : [$0] },
          mark: Array(place.escapedMark.text.utf8)
        ),
      ]
    }
    var result: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.first {
      if byte == slash || byte == backslash,
        let found = spellings.first(where: { rest.starts(with: $0.path) })
      {
        result += found.mark
        rest = rest.dropFirst(found.path.count)
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
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
    for place in places {
      if bytes.starts(with: place.path) { return (place.path.count, place.name, true) }
      if bytes.starts(with: place.name) { return (place.name.count, place.name, false) }
    }
    return nil
  }
}
