internal import MockEngine
internal import NIOCore
internal import ScenarioModel

/// Answers DNS messages: bytes in, bytes out.
struct DNSResponder: Sendable {
  /// Resolves what no fault is about.
  let resolver: DNSResolver
  /// Finds the fault of a name's real lookup; `nil` where no real host is behind it.
  ///
  /// Called on the event loop.
  var realFault: @Sendable (String) -> EventLoopFuture<ConnectionFault.NameFault?>? = { _ in nil }
  /// Called for each question for a name that nothing knows.
  var reportUnknown: @Sendable (_ name: String, DNSPorts?) -> Void = { _, _ in }

  /// Decides about questions by fault rules, once for each; `nil` without such rules.
  var faults: QuerySequencer?
  /// True if messages come on a stream, where nothing needs to be cut short.
  var isStream = false

  init(resolver: DNSResolver) {
    self.resolver = resolver
  }

  /// The answer, at once or when the real name is looked up; `nil` if there must be none.
  ///
  /// - Parameter ports: where the message came from, if that is known.
  func answer(
    to message: [UInt8], from ports: DNSPorts? = nil,
    completion: @escaping @Sendable ([UInt8]?) -> Void
  ) {
    guard let faults, case .query(let question, _, _) = DNSMessage(message) else {
      return look(message, from: ports, completion: completion)
    }
    faults.enqueue(question, from: ports, isStream: isStream) { given in
      guard let given else { return look(message, from: ports, completion: completion) }
      completion(answer(to: message, from: ports, given: given))
    }
  }

  /// The answer that a message would have had without fault rules.
  private func look(
    _ message: [UInt8], from ports: DNSPorts?, completion: @escaping @Sendable ([UInt8]?) -> Void
  ) {
    guard case .query(let question, _, _) = DNSMessage(message),
      let lookup = realFault(question.name)
    else { return completion(answer(to: message, from: ports, given: nil)) }
    lookup.whenComplete { result in
      let found = (try? result.get()) ?? nil
      completion(answer(to: message, from: ports, given: found.map { .fault($0) }))
    }
  }

  /// The answer; `nil` if there must be none.
  ///
  /// - Parameter given: what has been decided about the question; `nil` for what the scenario says of its name.
  private func answer(
    to message: [UInt8], from ports: DNSPorts?, given: LinkFault.NameAnswer?
  ) -> [UInt8]? {
    let message = DNSMessage(message)
    if case .refused(let code, let identifier) = message {
      return DNSReply.refusal(code, identifier: identifier)
    }
    guard case .query(let question, let identifier, let flags) = message else { return nil }
    func bytes(_ reply: DNSReply) -> [UInt8] {
      reply.bytes(for: question, identifier: identifier, flags: flags)
    }
    func fits(_ reply: DNSReply) -> Bool { bytes(reply).count <= room(for: question) }
    switch given {
    case .fault(.timeout)?: return nil
    case .fault(.truncated)? where !isStream: return bytes(DNSReply(isCut: true))
    case .fault(.nodata)?: return bytes(resolver.nothing(question.name))
    case .fault(.nxdomain)?: return bytes(resolver.nothing(question.name, .nameError))
    case .fault(.servfail)?: return bytes(DNSReply(code: .serverFailure))
    case .fault(.refused)?: return bytes(DNSReply(code: .refused))
    case .addresses(let addresses)?: return bytes(reply(addresses, to: question))
    case .fault(.truncated)?, nil: break
    }
    switch resolver.resolve(question, isAccepted: fits) {
    case .silence(let name):
      reportUnknown(name, ports)
      return nil
    case .reply(var reply, let unknownName):
      if let unknownName { reportUnknown(unknownName, ports) }
      reply.isCut = !fits(reply)
      return bytes(reply)
    }
  }

  /// The longest answer that a client takes, in bytes.
  private func room(for question: DNSQuestion) -> Int {
    guard !isStream else { return Int(UInt16.max) }
    return min(
      max(DNSReply.usualRoom, question.answerRoom.map(Int.init) ?? 0), DNSReply.maximumRoom)
  }

  /// The answer with addresses of a fault rule, which must not outlive the run in a cache.
  private func reply(_ addresses: [String], to question: DNSQuestion) -> DNSReply {
    guard question.type == DNSQuestion.RecordType.address else {
      return resolver.nothing(question.name)
    }
    let records = addresses.compactMap { IPv4Address($0) }.map { address in
      NameRecord(
        owner: question.name, type: question.type, timeToLive: 0, data: address.bytes)
    }
    return DNSReply(answers: records)
  }
}
