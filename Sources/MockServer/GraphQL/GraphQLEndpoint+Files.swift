internal import Foundations
internal import Glibc
internal import GraphQL
internal import MockEngine
internal import ScenarioPlan

extension GraphQLEndpoint {
  /// Creates an endpoint with the content of the plan's files.
  ///
  /// - Throws: If a file has changed since the plan was made, so that it cannot be used any more.
  init(reading network: PlannedNetwork) throws(MockServerError) {
    var schema: GraphQLSchema?
    var manifest: [String: String] = [:]
    if let path = network.graphQL?.schemaPath {
      let text = String(decoding: try Self.read(path), as: UTF8.self)
      let (found, problems) = GraphQLSchema.read(text)
      if let problem = problems.first {
        let place = "\(path):\(problem.location.line):\(problem.location.column)"
        throw MockServerError(
          .reading, message: "\(place): \(problem.message)", help: problem.help ?? "")
      }
      schema = found
    }
    if case .manifest(let path) = network.graphQL?.persisted {
      let json = try? JSONText.parse(utf8: try Self.read(path))
      guard let documents = json.flatMap({ GraphQLPersistedDocuments.manifest($0) }) else {
        throw MockServerError(
          .reading, message: "\"\(path)\" is not a manifest of documents",
          help: "write a JSON map from hashes to documents, or Apollo's \"operations\"")
      }
      manifest = documents
    }
    self.init(network: network, schema: schema, manifest: manifest)
  }

  private static func read(_ path: String) throws(MockServerError) -> [UInt8] {
    guard let file = fopen(path, "re") else { throw failure(path, errno) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 64 * 1024)
    while bytes.count <= GraphQLLimits.length {
      let count = fread(&part, 1, part.count, file)
      guard count > 0 else { break }
      bytes += part[..<count]
    }
    guard ferror(file) == 0 else { throw failure(path, errno) }
    return bytes
  }

  private static func failure(_ path: String, _ code: Int32) -> MockServerError {
    MockServerError(
      .reading, message: "\"\(path)\" cannot be read: \(SystemText.error(code))",
      help: "check the file's permissions")
  }
}
