internal import Foundations
internal import OrderedCollections

/// Answers the questions of server reflection (grpc.io, "GRPC Server Reflection Protocol") about the types of a pool.
package struct ServerReflection: Sendable {
  /// The versions of the protocol, the parts of their packages' names.
  package static let versions = ["v1", "v1alpha"]
  /// INVALID_ARGUMENT, NOT_FOUND and UNIMPLEMENTED of gRPC.
  private enum Code: Int64 {
    case invalidArgument = 3
    case notFound = 5
    case unimplemented = 12
  }

  private let subject: DescriptorPool
  private let codec: MessageCodec
  private let request: MessageReference
  private let response: MessageReference

  /// The service that a request's path calls; `nil` if it is another one.
  package init?(path: String, for subject: DescriptorPool) {
    let version = Self.versions.first {
      path == "/grpc.reflection.\($0).ServerReflection/ServerReflectionInfo"
    }
    guard let version else { return nil }
    let name = "reflection.proto"
    let (pool, _) = ProtoLoader.load([name]) {
      $0 == name ? Array(ReflectionFile.text(version).utf8) : nil
    }
    let package = "grpc.reflection.\(version)"
    guard let request = pool.message(named: "\(package).ServerReflectionRequest"),
      let response = pool.message(named: "\(package).ServerReflectionResponse")
    else { return nil }
    self.subject = subject
    self.request = request
    self.response = response
    codec = MessageCodec(pool)
  }

  /// The answer to a message of the client; `nil` if it is none.
  package func answer(_ bytes: [UInt8]) -> [UInt8]? {
    guard let question = try? codec.decode(bytes, as: request, showsDefaults: false) else {
      return nil
    }
    let (key, content) = reply(to: question)
    let value: Value = .map([
      "validHost": question.member("host") ?? .string(""), "originalRequest": question,
      key: content,
    ])
    return try? codec.encode(value, as: response)
  }

  private func reply(to question: Value) -> (String, Value) {
    if case .string(let name)? = question.member("fileByFilename") {
      return files(subject.files.firstIndex { $0.name == name }, "the file \"\(name)\"")
    }
    if case .string(let name)? = question.member("fileContainingSymbol") {
      let plain = name.hasPrefix(".") ? String(name.dropFirst()) : name
      return files(subject.fileOfSymbol[plain], "the symbol \"\(name)\"")
    }
    if let content = question.member("fileContainingExtension") {
      return fileContainingExtension(content)
    }
    if case .string(let name)? = question.member("allExtensionNumbersOfType") {
      guard let index = subject.messageIndices[name] else {
        return failure(.notFound, "the message \"\(name)\" is not known")
      }
      let numbers = subject.messages[index].fields.filter(\.isExtension).map {
        Value.integer(Int64($0.number))
      }
      return (
        "allExtensionNumbersResponse",
        .map(["baseTypeName": .string(name), "extensionNumber": .list(numbers)])
      )
    }
    if question.member("listServices") != nil {
      let names = subject.services.map { Value.map(["name": .string($0.fullName)]) }
      return ("listServicesResponse", .map(["service": .list(names)]))
    }
    return failure(.invalidArgument, "the request asks nothing")
  }

  private func fileContainingExtension(_ content: Value) -> (String, Value) {
    var (name, number) = ("", Int64(0))
    if case .string(let text)? = content.member("containingType") { name = text }
    if case .integer(let integer)? = content.member("extensionNumber") { number = integer }
    let found = subject.messageIndices[name].flatMap { index in
      subject.messages[index].fields.first { $0.isExtension && $0.number == Int(number) }
    }
    return files(
      found.flatMap { subject.fileOfSymbol[$0.fullName] }, "the extension \(number) of \"\(name)\"")
  }

  private func failure(_ code: Code, _ message: String) -> (String, Value) {
    (
      "errorResponse",
      .map(["errorCode": .integer(code.rawValue), "errorMessage": .string(message)])
    )
  }

  /// A file with all that it imports.
  private func files(_ index: Int?, _ what: String) -> (String, Value) {
    guard let index else { return failure(.notFound, "\(what) is not known") }
    var order: OrderedSet<Int> = []
    var pending = [index]
    while let next = pending.popLast() {
      if order.append(next).inserted { pending += subject.files[next].imports }
    }
    let contents = order.map { Value.string(Base64.encoded(subject.files[$0].descriptor)) }
    return ("fileDescriptorResponse", .map(["fileDescriptorProto": .list(contents)]))
  }
}
