internal import Foundations
internal import ScenarioModel
import Synchronization

/// Decides about DNS queries: by chaos entries, and where these leave them alone, by the faults of `responses:`.
final class NameFaults: DNSFaultSource {
  private let links: LinkFaults?
  private let log: ExchangeLog
  private let elapsed: @Sendable () -> Nanoseconds
  private let lookups = Mutex(OpenLookups())

  /// Creates a source; `nil` if nothing decides about names.
  ///
  /// - Parameter elapsed: virtual time since the scenario's start.
  init?(links: LinkFaults?, log: ExchangeLog, elapsed: @escaping @Sendable () -> Nanoseconds) {
    guard links != nil || log.hasNameFaults else { return nil }
    self.links = links
    self.log = log
    self.elapsed = elapsed
  }

  func concerns(_ query: DNSQuery) -> Bool {
    links?.concerns(query) ?? false || query.isForAddress && log.countsNameFaults(of: query.name)
  }

  func answer(
    to query: DNSQuery, round: Int?
  ) -> (answer: LinkFault.NameAnswer?, fault: FiredLinkFault?) {
    let (answer, fault) = links?.answer(to: query, round: round) ?? (nil, nil)
    return (answer ?? response(to: query, round: round), fault)
  }

  /// The answer by the faults of `responses:`, of which a lookup takes one, whatever the number of its queries.
  private func response(to query: DNSQuery, round: Int?) -> LinkFault.NameAnswer? {
    guard query.isForAddress else {
      return log.nameFault(of: query.name, counts: false).map { .fault($0) }
    }
    return lookups.withLock { lookups in
      let time = elapsed()
      if let known = lookups.join(query, at: time, round: round) { return known }
      let answer = log.nameFault(of: query.name, counts: true)
        .map { LinkFault.NameAnswer.fault($0) }
      lookups.begin(with: query, at: time, round: round, answer: answer)
      return answer
    }
  }
}
