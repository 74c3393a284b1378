internal import GraphQL
internal import ScenarioModel
internal import ScenarioPlan

extension GraphQLDesk {
  /// Creates a desk with what the plan's files hold.
  ///
  /// - Throws: If a file has changed since the plan was made, so that it cannot be used any more.
  init(reading network: PlannedNetwork) throws(StandInError) {
    var schema: GraphQLSchema?
    var manifest: [String: String] = [:]
    if let path = network.graphQL?.schemaPath {
      let text = String(decoding: try Self.read(path), as: UTF8.self)
      let (found, problems) = GraphQLSchema.read(text)
      if let problem = problems.first {
        let place = "\(path):\(problem.location.line):\(problem.location.column)"
        throw StandInError(
          .reading, message: "\(place): \(problem.message)", help: problem.help ?? "")
      }
      schema = found
    }
    if case .manifest(let path) = network.graphQL?.persisted {
      let json = try? JSONText.parse(utf8: try Self.read(path))
      guard let documents = json.flatMap({ GraphQLPersistedDocuments.manifest($0) }) else {
        throw StandInError(
          .reading, message: "\"\(path)\" is no manifest of documents",
          help: "it is a JSON map from hashes to documents, or has Apollo's \"operations\"")
      }
      manifest = documents
    }
    self.init(network: network, schema: schema, manifest: manifest)
  }

  private static func read(_ path: String) throws(StandInError) -> [UInt8] {
    do {
      return try ReplyBody.read(path: path)
    } catch {
      throw StandInError(.reading, message: error.message, help: "check the file's permissions")
    }
  }
}
