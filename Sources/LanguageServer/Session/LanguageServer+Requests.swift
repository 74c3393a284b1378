internal import Foundations

/// The reason why a request gets no result.
struct RequestError: Error {
  var code: ProtocolErrorCode
  /// Lower case, no full stop.
  var message: String
}

extension LanguageServer {
  /// Answers a request about a document.
  mutating func answer(_ method: String, _ parameters: Value) throws(RequestError) -> Value {
    switch method {
    case "textDocument/completion":
      return try features(parameters).completions(at: try position(parameters))
    case "textDocument/hover": return try features(parameters).hover(at: try position(parameters))
    case "textDocument/definition":
      return try features(parameters).definition(at: try position(parameters))
    case "textDocument/references":
      let all = parameters.at("context", "includeDeclaration")?.boolValue ?? true
      return try features(parameters).references(
        at: try position(parameters), withDefinitions: all)
    case "textDocument/documentHighlight":
      return try features(parameters).highlights(at: try position(parameters))
    case "textDocument/prepareRename":
      return try features(parameters).renaming(at: try position(parameters))
    case "textDocument/rename": return try rename(parameters)
    case "textDocument/formatting": return try features(parameters).formatting()
    case "textDocument/documentSymbol": return try features(parameters).symbols()
    case "textDocument/codeLens": return try features(parameters).lenses()
    case "textDocument/codeAction": return try actions(parameters)
    default:
      throw RequestError(
        code: .methodNotFound, message: "unknown request \"\(method)\"")
    }
  }

  private func rename(_ parameters: Value) throws(RequestError) -> Value {
    guard let name = parameters.member("newName")?.stringValue else {
      throw RequestError(code: .invalidParams, message: "\"newName\" is missing")
    }
    let features = try features(parameters)
    let position = try position(parameters)
    do throws(FeatureError) {
      return try features.rename(at: position, to: name)
    } catch {
      throw RequestError(code: .requestFailed, message: error.message)
    }
  }

  private mutating func actions(_ parameters: Value) throws(RequestError) -> Value {
    let address = try address(parameters)
    guard let range = EditorRange(parameters.member("range")) else {
      throw RequestError(code: .invalidParams, message: "\"range\" is not a range")
    }
    // What is offered belongs to the text as it is now; the client gets it when its turn comes.
    if workspace[address]?.isDirty == true {
      workspace.review(address)
      workspace.update(address) { $0.isDirty = true }
    }
    let kinds = parameters.at("context", "only")?.listValue?.compactMap(\.stringValue)
    return try features(parameters).actions(in: range, kinds: kinds)
  }

  private func address(_ parameters: Value) throws(RequestError) -> String {
    guard let address = parameters.at("textDocument", "uri")?.stringValue else {
      throw RequestError(code: .invalidParams, message: "\"textDocument.uri\" is missing")
    }
    return address
  }

  private func features(_ parameters: Value) throws(RequestError) -> DocumentFeatures {
    let address = try address(parameters)
    guard let document = workspace[address] else {
      throw RequestError(
        code: .invalidParams, message: "the document \"\(address)\" is not open")
    }
    return DocumentFeatures(
      document: document, workspace: workspace, encoding: encoding, takesSnippets: takesSnippets)
  }

  private func position(_ parameters: Value) throws(RequestError) -> EditorPosition {
    guard let position = EditorPosition(parameters.member("position")) else {
      throw RequestError(code: .invalidParams, message: "\"position\" is not a position")
    }
    return position
  }

  // MARK: - Mistakes

  /// Returns the notification of the mistakes in a document.
  func published(_ address: String) -> Value? {
    guard let document = workspace[address] else { return nil }
    let features = DocumentFeatures(document: document, workspace: workspace, encoding: encoding)
    return OutgoingMessage.notification(
      "textDocument/publishDiagnostics",
      .object([
        "uri": .string(address), "version": .integer(document.version),
        "diagnostics": .list(features.diagnostics()),
      ]))
  }
}
