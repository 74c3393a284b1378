internal import Foundations
internal import OrderedCollections

extension DocumentFeatures {
  /// Returns the mistakes in the document, as messages have them.
  func diagnostics() -> [Value] {
    document.kind == .foreign ? [] : document.diagnostics.compactMap { diagnostic(of: $0) }
  }

  /// Returns the place of a diagnostic in the document; a mistake of another file is shown where
  /// that file is used, as the client shows only open documents.
  private func place(of diagnostic: Diagnostic) -> SourceRange? {
    guard let range = diagnostic.range else {
      return SourceRange(file: document.path, line: 1, column: 1)
    }
    if range.file == document.path { return range }
    return diagnostic.notes.compactMap(\.range).first { $0.file == document.path }
  }

  private func diagnostic(of diagnostic: Diagnostic) -> Value? {
    guard let place = place(of: diagnostic) else { return nil }
    var notes = diagnostic.notes.compactMap { note in
      note.range.flatMap { related(note.message, at: $0) }
    }
    if let range = diagnostic.range, range.file != document.path,
      let other = related("the mistake is here", at: range)
    {
      notes.insert(other, at: 0)
    }
    let start = EditorPosition(line: 0, character: 0)
    let range = range(place) ?? EditorRange(start: start, end: start)
    return .object([
      "range": range.value,
      "severity": .int(diagnostic.severity == .error ? 1 : 2),
      "code": .string(diagnostic.code.rawValue), "source": .string("scenario"),
      "message": .string(
        diagnostic.message + (diagnostic.help.map { "\nhelp: \($0)" } ?? "")),
      "relatedInformation": notes.isEmpty ? nil : .list(notes),
    ])
  }

  private func related(_ message: String, at place: SourceRange) -> Value? {
    let location: Value?
    if place.file == document.path {
      location = range(place).map { self.location(place.file, $0) }
    } else {
      let text = document.sources[place.file].map { DocumentText($0) }
      let source = document.sources[place.file].map { SourceText(path: place.file, text: $0) }
      location = text.flatMap { text in
        source.flatMap { text.offsets(of: place, in: $0) }.map {
          self.location(place.file, text.range(of: $0, encoding))
        }
      }
    }
    return location.map { .object(["location": $0, "message": .string(message)]) }
  }

  // MARK: - Actions

  /// Returns the fixes of mistakes in a range of the document: certain fixes are preferred, and all
  /// of them are one action.
  ///
  /// - Parameter kinds: The kinds that the client wants; `nil` for all.
  func actions(in wanted: EditorRange, kinds: [String]?) -> Value {
    func wants(_ kind: String) -> Bool {
      kinds?.contains { kind == $0 || kind.hasPrefix($0 + ".") } ?? true
    }
    var actions: [Value] = []
    for diagnostic in document.diagnostics where wants(Self.quickFix) {
      guard let fix = diagnostic.fix, fix.start.file == document.path,
        let own = diagnostic.range.flatMap({ range($0) }), own.touches(wanted),
        let edit = edit(of: fix)
      else { continue }
      actions.append(
        .object([
          "title": .string(title(of: fix)), "kind": .string(Self.quickFix),
          "diagnostics": self.diagnostic(of: diagnostic).map { .list([$0]) },
          "isPreferred": fix.confidence == .certain ? .bool(true) : nil,
          "edit": changes([edit]),
        ]))
    }
    let certain = document.diagnostics.compactMap(\.fix).filter {
      $0.confidence == .certain && $0.start.file == document.path
    }
    if wants(Self.fixAll), !certain.isEmpty {
      let fixed = FixedText(document.text.bytes, path: document.path, fixes: certain)
      let all = document.text.range(of: 0..<document.text.bytes.count, encoding)
      let edit = Value.object([
        "range": all.value, "newText": .string(String(decoding: fixed.bytes, as: UTF8.self)),
      ])
      actions.append(
        .object([
          "title": .string(
            fixed.count == 1
              ? "apply the certain fix"
              : "apply all \(fixed.count) certain fixes"),
          "kind": .string(Self.fixAll), "edit": changes([edit]),
        ]))
    }
    return .list(actions)
  }

  static let quickFix = "quickfix"
  static let fixAll = "source.fixAll.scenario"

  private func changes(_ edits: [Value]) -> Value {
    .object(["changes": .map([document.address: .list(edits)])])
  }

  private func edit(of fix: DiagnosticFix) -> Value? {
    let stretch = SourceRange(
      file: fix.start.file, line: fix.start.line, column: fix.start.column, length: fix.length)
    guard var offsets = document.text.offsets(of: stretch, in: document.source) else { return nil }
    if fix.length == 0 { offsets = offsets.lowerBound..<offsets.lowerBound }
    return .object([
      "range": document.text.range(of: offsets, encoding).value, "newText": .string(fix.text),
    ])
  }

  private func title(of fix: DiagnosticFix) -> String {
    let new = fix.text.split(separator: "\n").joined(separator: " ")
    let old = document.source.text(
      line: fix.start.line, from: fix.start.column, limit: fix.length)
    let change =
      if fix.length == 0 { "insert \"\(new)\"" } else if new.isEmpty {
        "remove \"\(old ?? "")\""
      } else { "replace \"\(old ?? "")\" with \"\(new)\"" }
    return fix.confidence == .guess ? "perhaps: \(change)" : change
  }
}

extension EditorRange {
  /// Returns whether two ranges have a place in common, their ends included.
  func touches(_ other: EditorRange) -> Bool {
    start <= other.end && other.start <= end
  }
}

extension EditorPosition: Comparable {
  /// Returns whether a place is in front of another one.
  package static func < (one: EditorPosition, other: EditorPosition) -> Bool {
    (one.line, one.character) < (other.line, other.character)
  }
}
