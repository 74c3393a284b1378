internal import Foundations
internal import ScenarioCompiler

/// The documents that are open, and the files around them.
struct Workspace: Sendable {
  /// The queries on the machine.
  let files: WorkspaceFiles
  /// The open documents by their addresses.
  private(set) var documents: [String: Document] = [:]
  /// The folders that the client works in, as messages show them.
  var folders: [String] = []

  init(_ files: WorkspaceFiles) {
    self.files = files
  }

  /// The document of an address.
  subscript(address: String) -> Document? {
    get { documents[address] }
    set { documents[address] = newValue }
  }

  /// Changes a document in place, without a copy of its text.
  mutating func update(_ address: String, _ change: (inout Document) -> Void) {
    guard let index = documents.index(forKey: address) else { return }
    change(&documents.values[index])
  }

  /// The path of an address, as messages show it.
  func path(of address: String) -> String {
    DocumentPath.path(of: address, seenFrom: files.folder)
  }

  /// The address of a path: that by which the client has opened it, if it has.
  func address(of path: String) -> String {
    documents.values.first { $0.path == path }?.address
      ?? DocumentPath.address(of: path, seenFrom: files.folder)
  }

  /// The files, with the text of those that are open as it is in the client.
  var access: FileAccess {
    let disk = files.access
    var texts: [String: [UInt8]] = [:]
    for document in documents.values {
      texts[disk.canonicalPath(document.path) ?? absolute(document.path)] = document.text.bytes
    }
    let (folder, open) = (files.folder, texts)
    return FileAccess { path in
      let place = disk.canonicalPath(path) ?? PathText.join(folder, path)
      return open[place].map { .bytes($0) } ?? disk.read(path)
    } canonicalPath: { path in
      if let place = disk.canonicalPath(path) { return place }
      let place = PathText.join(folder, path)
      return open[place] == nil ? nil : place
    }
  }

  private func absolute(_ path: String) -> String { PathText.join(files.folder, path) }
}

// MARK: - Mistakes

extension Workspace {
  /// The documents whose mistakes are not known.
  var dirty: [String] { documents.values.filter(\.isDirty).map(\.address).sorted() }

  /// Records that a text has changed, on disk or in the client: files that use it may be right or
  /// wrong now.
  mutating func invalidate(usersOf path: String) {
    for address in documents.keys where documents[address]?.sources[path] != nil {
      documents[address]?.isDirty = true
    }
  }

  /// Records that any file may have changed.
  mutating func invalidateAll() {
    for address in documents.keys { documents[address]?.isDirty = true }
  }

  /// Finds the mistakes of a document.
  mutating func review(_ address: String) {
    guard let document = documents[address] else { return }
    let outcome = FileReview.review(
      document.text.bytes, path: document.path, access: access, options: files.options)
    let own = document.source
    let list = DiagnosticList(outcome.diagnostics, limit: .max) { path in
      path == own.path ? own : outcome.sources[path].map { SourceText(path: path, text: $0) }
    }
    update(address) { document in
      document.diagnostics = list.shown
      document.sources = outcome.sources
      document.isDirty = false
    }
  }
}
