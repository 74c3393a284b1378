internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `network: { openapi: … }`: a path, the settings of a document, or a list of both.
  mutating func decodeOpenAPI(_ node: YAMLNode) -> [OpenAPISettings] {
    guard case .sequence(let nodes) = node.content else {
      return decodeOpenAPIDocument(node).map { [$0] } ?? []
    }
    return nodes.compactMap { decodeOpenAPIDocument($0) }
  }

  private mutating func decodeOpenAPIDocument(_ node: YAMLNode) -> OpenAPISettings? {
    guard case .mapping = node.content else {
      return decodeText(node, "openapi", example: "write \"openapi: api/petstore.yaml\"").map {
        OpenAPISettings(file: $0)
      }
    }
    var settings = OpenAPISettings()
    guard
      let reader = decode(
        node, as: Grammar.openAPI, subject: "\"openapi\" of the network", into: &settings),
      required("file", in: reader, example: "file: api/petstore.yaml") != nil,
      settings.file != nil
    else { return nil }
    settings.servers = settings.servers.filter { checkURL($0) }
    return settings
  }
}
