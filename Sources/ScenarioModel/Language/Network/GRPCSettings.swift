package import Foundations

/// `network: { grpc: … }`: what describes the messages of gRPC.
package struct GRPCSettings: Sendable {
  /// `protos:` .proto files, folders of them, patterns such as `api/*.proto`, or descriptor sets, relative to the scenario
  /// file.
  package var protos: [Located<String>]
  /// `roots:` the folders that imports of .proto files count from, relative to the scenario file.
  package var roots: [Located<String>]

  /// Creates settings.
  package init(protos: [Located<String>] = [], roots: [Located<String>] = []) {
    self.protos = protos
    self.roots = roots
  }
}
