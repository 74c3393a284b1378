internal import NIOCore
internal import ScenarioModel

/// Answers DNS messages from the address addresses: bytes in, bytes out.
struct DNSResponder: Sendable {
  /// Answers must not outlive the run in a cache.
  private static let timeToLive: [UInt8] = [0, 0, 0, 0]
  /// A compression pointer to the question's name, right behind the header.
  private static let pointerToQuestion: [UInt8] = [0xC0, UInt8(DNSMessage.headerLength)]
  private static let reverseSuffix = ".in-addr.arpa"
  private static let loopback = IPv4Address(127, 0, 0, 1)

  /// The names that are given out.
  let addresses: FakeIPPool
  /// Finds the fault of a name's real lookup; `nil` where no real host is behind it.
  ///
  /// Called on the event loop.
  var realFault: @Sendable (String) -> EventLoopFuture<ConnectionFault.NameFault?>? = { _ in nil }

  /// Decides about questions by fault rules, once for each; `nil` without such rules.
  var faults: QuerySequencer?
  /// True if messages come on a stream, where nothing needs to be cut short.
  var isStream = false

  init(addresses: FakeIPPool) {
    self.addresses = addresses
  }

  /// The answer, at once or when the real name is looked up; `nil` if there must be none.
  ///
  /// - Parameter ports: where the message came from, if that is known.
  func answer(
    to message: [UInt8], from ports: DNSPorts? = nil,
    completion: @escaping @Sendable ([UInt8]?) -> Void
  ) {
    guard let faults, case .query(let question, _, _) = DNSMessage(message) else {
      return look(message, completion: completion)
    }
    faults.enqueue(question, from: ports, isStream: isStream) { given in
      guard let given else { return look(message, completion: completion) }
      completion(answer(to: message, given: given))
    }
  }

  /// The answer that a message would have had without fault rules.
  private func look(
    _ message: [UInt8], completion: @escaping @Sendable ([UInt8]?) -> Void
  ) {
    guard case .query(let question, _, _) = DNSMessage(message),
      let lookup = realFault(question.name)
    else { return completion(answer(to: message)) }
    lookup.whenComplete { result in
      let found = (try? result.get()) ?? nil
      completion(answer(to: message, given: found.map { .fault($0) }))
    }
  }

  /// The answer; `nil` if there must be none.
  ///
  /// - Parameter given: what has been decided about the question; `nil` for the address of its name.
  func answer(to message: [UInt8], given: LinkFault.NameAnswer? = nil) -> [UInt8]? {
    switch DNSMessage(message) {
    case .ignored:
      return nil
    case .refused(let code, let identifier):
      return Self.header(identifier: identifier, code: code)
    case .query(let question, let identifier, let recursionDesired):
      guard given != .fault(.timeout) else { return nil }
      let (code, records) = records(for: question, given)
      let isCut = given == .fault(.truncated) && !isStream
      var bytes = Self.header(
        identifier: identifier, code: code, recursionDesired: recursionDesired, isCut: isCut,
        questions: 1, answers: UInt16(clamping: records.count))
      bytes += question.bytes
      for data in records {
        bytes += Self.pointerToQuestion
        bytes += Self.bigEndian(question.type) + Self.bigEndian(DNSQuestion.internetClass)
        bytes += Self.timeToLive
        bytes += Self.bigEndian(UInt16(data.count)) + data
      }
      return bytes
    }
  }

  // MARK: - Records

  /// The records that a question gets, and the code that says why there are none.
  private func records(
    for question: DNSQuestion, _ given: LinkFault.NameAnswer?
  ) -> (DNSResponseCode, [[UInt8]]) {
    switch given {
    case .fault(.truncated)? where !isStream: return (.noError, [])
    case .fault(.truncated)?, nil:
      let (code, data) = resolve(question)
      return (code, data.map { [$0] } ?? [])
    case .fault(let fault)?: return (fault.code, [])
    case .addresses(let addresses)?:
      guard question.type == DNSQuestion.RecordType.address else { return (.noError, []) }
      return (.noError, addresses.compactMap { IPv4Address($0)?.bytes })
    }
  }

  private func resolve(_ question: DNSQuestion) -> (DNSResponseCode, [UInt8]?) {
    guard [DNSQuestion.internetClass, DNSQuestion.anyClass].contains(question.recordClass)
    else { return (.noError, nil) }
    switch question.type {
    case DNSQuestion.RecordType.address: return address(of: question.name)
    case DNSQuestion.RecordType.pointer: return name(behind: question.name)
    default: return (.noError, nil)
    }
  }

  private func address(of name: String) -> (DNSResponseCode, [UInt8]?) {
    guard !name.isEmpty, !name.hasSuffix(".arpa") else { return (.noError, nil) }
    // RFC 6761, section 6.3: whatever is local stays local.
    if name == "localhost" || name.hasSuffix(".localhost") {
      return (.noError, Self.loopback.bytes)
    }
    guard let address = addresses.address(ofHost: name) else { return (.serverFailure, nil) }
    return (.noError, address.bytes)
  }

  private func name(behind reverseName: String) -> (DNSResponseCode, [UInt8]?) {
    guard reverseName.hasSuffix(Self.reverseSuffix) else { return (.nameError, nil) }
    let labels = reverseName.dropLast(Self.reverseSuffix.count).split(separator: ".")
    guard let address = IPv4Address(labels.reversed().joined(separator: ".")) else {
      return (.nameError, nil)
    }
    if address == Self.loopback { return (.noError, Self.encoded("localhost")) }
    guard let name = addresses.name(ofAddress: address) else { return (.nameError, nil) }
    return (.noError, Self.encoded(name))
  }

  // MARK: - Bytes

  private static func header(
    identifier: UInt16, code: DNSResponseCode, recursionDesired: Bool = false,
    isCut: Bool = false,
    questions: UInt16 = 0, answers: UInt16 = 0
  ) -> [UInt8] {
    var flags = DNSMessage.Flags.response | DNSMessage.Flags.authoritative
    flags |= DNSMessage.Flags.recursionAvailable | code.rawValue
    if isCut { flags |= DNSMessage.Flags.truncated }
    if recursionDesired { flags |= DNSMessage.Flags.recursionDesired }
    return [identifier, flags, questions, answers, 0, 0].flatMap(bigEndian)
  }

  private static func bigEndian(_ value: UInt16) -> [UInt8] {
    [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)]
  }

  /// A name as length-prefixed labels; only names that came from a question get here.
  private static func encoded(_ name: String) -> [UInt8] {
    name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
  }
}

extension ConnectionFault.NameFault {
  /// RFC 1035, section 4.1.1.
  fileprivate var code: DNSResponseCode {
    switch self {
    case .nxdomain: .nameError
    case .servfail, .timeout: .serverFailure
    case .refused: .refused
    case .nodata, .truncated: .noError
    }
  }
}
