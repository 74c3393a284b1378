internal import Patterns
internal import ScenarioModel
package import ScenarioPlan

extension PlannedNetwork {
  /// Returns whether a response of the scenario itself precedes a fallback, for the same requests:
  /// then the fallback need not be used.
  ///
  /// - Parameter entry: the place in the list of responses.
  package func isOverridden(_ entry: Int) -> Bool {
    guard responses.indices.contains(entry), responses[entry].isFallback == true else {
      return false
    }
    return responses.contains { $0.isFallback != true && $0.isFor(requestsOf: responses[entry]) }
      || connectionFaults.contains {
        $0.isFallback != true && responses[entry].isMet(by: $0)
      }
  }

  /// The same of connections that go wrong.
  ///
  /// - Parameter entry: the place in the list of connection faults.
  package func isConnectionOverridden(_ entry: Int) -> Bool {
    guard connectionFaults.indices.contains(entry), connectionFaults[entry].isFallback == true
    else { return false }
    let fallback = connectionFaults[entry]
    return connectionFaults.contains { own in
      own.isFallback != true && own.host == fallback.host
        && (own.port == nil || own.port == fallback.port)
    }
      || responses.contains {
        $0.isFallback != true && $0.names([fallback.host], port: fallback.port)
      }
  }
}

extension PlannedResponse {
  /// Returns whether it is about the same requests as another, or about more, whatever else it asks of them.
  fileprivate func isFor(requestsOf other: PlannedResponse) -> Bool {
    switch (match, other.match) {
    case (.http(let own), .http(let others)):
      guard let url = own.url, let otherURL = others.url else { return false }
      return own.takesMethods(of: others) && url.covers(otherURL)
    case (.graphQL(let own), .graphQL(let others)):
      return own.operation == others.operation && (own.kind == nil || own.kind == others.kind)
        && (own.url == nil || own.url == others.url)
        && (own.document == nil || own.document == others.document)
    case (.http, .graphQL), (.graphQL, .http): return false
    }
  }

  /// Returns whether this entry answers, or refuses forever, every request that another entry answers.
  package func shadows(_ other: PlannedResponse) -> Bool {
    // What the state will be, nobody knows before.
    guard store == nil, state?.conditions.isEmpty ?? true else { return false }
    guard repeats || then == .fail || then?.isEndless == true, case .http(let request) = match,
      request.isAddressOnly,
      let url = request.url, case .http(let wanted) = other.match, let otherURL = wanted.url
    else {
      return false
    }
    return request.takesMethods(of: wanted) && url.covers(otherURL)
  }
}

extension PlannedRequest {
  /// Returns whether it is for each method that another one is for.
  fileprivate func takesMethods(of other: PlannedRequest) -> Bool {
    guard let methods else { return true }
    return other.methods.map { $0.allSatisfy(methods.contains) } ?? false
  }
}

extension URLPattern {
  /// Returns whether everything that another pattern matches is matched by this one; `false` in doubt.
  fileprivate func covers(_ other: URLPattern) -> Bool {
    guard scheme == nil || scheme == other.scheme,
      host == nil || host == other.host && port == other.port,
      query.allSatisfy(other.query.contains),
      let own = try? URLPathMatcher(path), let others = try? URLPathMatcher(other.path)
    else {
      return false
    }
    if case .path(let literal) = others.place(of: other.path) { return own.match(literal) != nil }
    return own.hasSameShape(as: others)
  }
}
