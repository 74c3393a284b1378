internal import Foundations

extension LanguageServer {
  /// Agrees with the client on what both can do.
  mutating func initialize(_ parameters: Value) -> Value {
    let client = parameters.member("capabilities") ?? .null
    let offered = client.at("general", "positionEncodings")?.listValue?.compactMap(\.stringValue)
    // The client's first choice counts, and every client knows UTF-16.
    encoding = offered?.lazy.compactMap(PositionEncoding.init(rawValue:)).first ?? .utf16
    takesSnippets =
      client.at("textDocument", "completion", "completionItem", "snippetSupport")?.boolValue
      ?? false
    var roots = parameters.member("workspaceFolders")?.listValue?.compactMap {
      $0.member("uri")?.stringValue
    }
    if roots == nil { roots = parameters.member("rootUri")?.stringValue.map { [$0] } }
    workspace.folders = (roots ?? []).map { path(ofFolder: $0) }
    return .object([
      "serverInfo": .object(["name": .string("scenario"), "version": .string(version)]),
      "capabilities": capabilities,
    ])
  }

  func path(ofFolder address: String) -> String {
    let path = workspace.path(of: address)
    return path == workspace.files.folder || path.isEmpty ? "." : path
  }

  private var capabilities: Value {
    .object([
      "positionEncoding": .string(encoding.rawValue),
      "textDocumentSync": .object([
        "openClose": .bool(true), "change": .int(2), "save": .bool(true),
      ]),
      "completionProvider": .object([
        "triggerCharacters": .list([" ", ":", "{", ".", "-", "$"].map { .string($0) })
      ]),
      "hoverProvider": .bool(true), "definitionProvider": .bool(true),
      "referencesProvider": .bool(true), "documentHighlightProvider": .bool(true),
      "documentSymbolProvider": .bool(true), "documentFormattingProvider": .bool(true),
      "codeActionProvider": .object([
        "codeActionKinds": .list([
          .string(DocumentFeatures.quickFix), .string(DocumentFeatures.fixAll),
        ])
      ]),
      "codeLensProvider": .object(["resolveProvider": .bool(false)]),
      "renameProvider": .object(["prepareProvider": .bool(true)]),
      "workspace": .object([
        "workspaceFolders": .object([
          "supported": .bool(true), "changeNotifications": .bool(true),
        ])
      ]),
    ])
  }
}
