internal import Foundations

extension LanguageServer {
  /// Handles a notification of the client; one that cannot be used is ignored, as nobody waits for
  /// an answer.
  mutating func hear(_ method: String, _ parameters: Value) -> [Value] {
    switch method {
    case "textDocument/didOpen": open(parameters)
    case "textDocument/didChange": return change(parameters)
    case "textDocument/didClose": return close(parameters)
    case "textDocument/didSave", "workspace/didChangeWatchedFiles": workspace.invalidateAll()
    case "workspace/didChangeWorkspaceFolders": changeFolders(parameters)
    default: break
    }
    return []
  }

  private mutating func open(_ parameters: Value) {
    guard let item = parameters.member("textDocument"),
      let address = item.member("uri")?.stringValue,
      let text = item.member("text")?.stringValue
    else { return }
    let path = workspace.path(of: address)
    workspace[address] = Document(
      address: address, path: path, version: Int64(item.member("version")?.intValue ?? 0),
      text: text)
    workspace.invalidate(usersOf: path)
  }

  private mutating func change(_ parameters: Value) -> [Value] {
    guard let address = parameters.at("textDocument", "uri")?.stringValue,
      let document = workspace[address],
      let changes = parameters.member("contentChanges")?.listValue
    else { return [] }
    let version = parameters.at("textDocument", "version")?.intValue.map(Int64.init)
    let encoding = encoding
    workspace.update(address) { document in
      document.change(
        { text in
          for change in changes {
            guard let new = change.member("text")?.stringValue else { continue }
            if let range = EditorRange(change.member("range")) {
              text.replace(range, with: new, encoding)
            } else if change.member("range") == nil {
              text = DocumentText(new)
            }
          }
        }, version: version ?? document.version + 1)
    }
    workspace.invalidate(usersOf: document.path)
    return []
  }

  private mutating func close(_ parameters: Value) -> [Value] {
    guard let address = parameters.at("textDocument", "uri")?.stringValue,
      let document = workspace[address]
    else { return [] }
    workspace[address] = nil
    workspace.invalidate(usersOf: document.path)
    return [
      OutgoingMessage.notification(
        "textDocument/publishDiagnostics",
        .object(["uri": .string(address), "diagnostics": .list([])]))
    ]
  }

  private mutating func changeFolders(_ parameters: Value) {
    func paths(_ key: String) -> [String] {
      parameters.at("event", key)?.listValue?.compactMap {
        $0.member("uri")?.stringValue.map { path(ofFolder: $0) }
      } ?? []
    }
    let removed = Set(paths("removed"))
    workspace.folders = workspace.folders.filter { !removed.contains($0) } + paths("added")
  }
}
