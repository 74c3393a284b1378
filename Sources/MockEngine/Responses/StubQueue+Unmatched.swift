internal import Patterns
internal import ScenarioModel
package import ScenarioPlan

extension StubQueue {
  /// Returns whether the first entry for a request has come to an end that says `then: fail`: no
  /// other one may answer.
  package func failsAtEnd(_ request: IncomingRequest, scope: some RunScope) -> Bool {
    let match = firstMatch(for: request, scope) { entry in
      RequestAssessment(beyondAddressOf: entry, request, scope).isMatch
    }
    return match.map { responses[$0.entry].then == .fail && isEmpty($0.entry) } ?? false
  }

  /// Returns whether a request that no entry answers matches one that has come to its end, and whose end is a
  /// failure.
  package func hasSpentEntry(for request: IncomingRequest, scope: some RunScope) -> Bool {
    responses.indices.contains { entry in
      let response = responses[entry]
      return (response.then ?? .fail) == .fail && !response.repeats && !isWaiting[entry]
        && RequestAssessment(response, request, StateScope(base: scope, state: state)).isMatch
    }
  }
}

extension PlannedNetwork {
  /// Returns whether a connection is refused because no entry names its host and port.
  ///
  /// - Parameter names: the host's name and its address, as far as they are known.
  package func refusesConnection(to names: [String], port: UInt16) -> Bool {
    guard unmatched == .refuse, names.allSatisfy({ mode(ofHost: $0) == .offline }) else {
      return false
    }
    let isFaulty = connectionFaults.contains { fault in
      (fault.port ?? port) == port
        && names.contains { CompiledGlob(fault.host)?.matches($0) ?? false }
    }
    return !isFaulty && !Conversations(conversations).speak(to: names, port: port)
      && !responses.contains { $0.speaks(of: names, port: port) }
      && !(openAPI ?? []).contains { $0.speaks(of: names, port: port) }
      && !(graphQL?.speaks(of: names, port: port) ?? false)
  }
}

extension PlannedOpenAPI {
  /// Returns whether it gives replies for a host.
  fileprivate func speaks(of names: [String], port: UInt16) -> Bool {
    givesReplies && allServers.contains { $0.port == port && names.contains($0.host) }
  }
}

extension PlannedGraphQL {
  /// Returns whether it gives replies for a host.
  fileprivate func speaks(of names: [String], port: UInt16) -> Bool {
    sampleSeed != nil && (url?.names(names, port: port) ?? true)
  }
}

extension PlannedResponse {
  /// Returns whether it may answer requests to a host.
  fileprivate func speaks(of names: [String], port: UInt16) -> Bool {
    url?.host == nil || self.names(names, port: port)
  }

  /// Returns whether it says the name of a host, and answers its requests.
  ///
  /// - Parameters:
  ///   - names: the host's name and its address, as far as they are known.
  ///   - port: the port; `nil` where it is not known yet.
  func names(_ names: [String], port: UInt16?) -> Bool { url?.names(names, port: port) ?? false }

  /// Returns whether connections for its requests go wrong by an entry.
  func isMet(by fault: PlannedConnectionFault) -> Bool {
    guard let host = url?.host else { return false }
    let isCovered = CompiledGlob(fault.host)?.matches(host) ?? false
    return names([isCovered ? host : fault.host], port: fault.port)
  }

  /// True if it says the name of a host, whose requests alone it answers.
  var namesHost: Bool { url?.host != nil }

  private var url: URLPattern? {
    switch match {
    case .http(let request): request.url
    case .graphQL(let match): match.url
    }
  }
}

extension URLPattern {
  /// Returns whether it says the name of a host, as above.
  func names(_ names: [String], port: UInt16?) -> Bool {
    guard let host else { return false }
    let ports = (scheme.map { [$0] } ?? ["http", "https"]).map(URLParts.defaultPort)
    if let port, !(self.port.map { $0 == port } ?? ports.contains(port)) { return false }
    return names.contains { host == $0 || CompiledGlob(host)?.matches($0) ?? false }
  }
}
