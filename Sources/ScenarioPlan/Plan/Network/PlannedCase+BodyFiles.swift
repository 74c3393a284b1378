/// A file that a reply sends, as far as the plan knows which.
package enum PlannedBodyFile: Hashable {
  /// The file at a path.
  case fixed(path: String)
  /// A file that the request names.
  case computed(PlannedFileName)
}

extension PlannedCase {
  /// The files that its replies send.
  package var bodyFiles: [PlannedBodyFile] {
    (network?.responses ?? []).flatMap(\.replies).flatMap(\.body.files)
  }
}

extension PlannedReply.Body {
  fileprivate var files: [PlannedBodyFile] {
    switch self {
    case .file(let path), .template(_, let path): [.fixed(path: path)]
    case .computedFile(let name): [.computed(name)]
    case .stream(let steps):
      steps.compactMap { step in
        if case .send(let piece) = step.action { piece.file } else { nil }
      }
    case .webSocket(let steps):
      steps.compactMap { step in
        if case .send(let piece) = step.action { piece.file } else { nil }
      }
    case .empty, .json, .text, .bytes, .graphQLStream, .grpc, .handler: []
    }
  }
}

extension PlannedPiece {
  fileprivate var file: PlannedBodyFile? {
    switch self {
    case .file(let path): .fixed(path: path)
    case .computedFile(let name): .computed(name)
    case .text, .json, .bytes, .message: nil
    }
  }
}
