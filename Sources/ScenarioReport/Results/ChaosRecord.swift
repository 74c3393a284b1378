internal import ScenarioEvents

/// The chaos entries that fired in one case, and the limits that were met.
struct ChaosRecord {
  private struct Firings {
    var count = 0
    /// Calls and programs, in the order of their first times.
    var places: [String] = []
    var hasMorePlaces = false
  }

  /// The maximum number of places of an entry that are reported.
  private static let placeLimit = 3
  /// The maximum number of entries that are reported of one case.
  private static let entryLimit = 20

  private var order: [String] = []
  private var firings: [String: Firings] = [:]
  private var strikes: [LimitFault] = []

  /// Counts that an entry has fired.
  mutating func add(_ fault: FaultDescription) {
    if firings[fault.entry] == nil { order.append(fault.entry) }
    let place = fault.program.map { "\(fault.systemCall) in \($0)" } ?? fault.systemCall
    var entry = firings[fault.entry] ?? Firings()
    entry.count += 1
    if !entry.places.contains(place) {
      if entry.places.count < Self.placeLimit {
        entry.places.append(place)
      } else {
        entry.hasMorePlaces = true
      }
    }
    firings[fault.entry] = entry
  }

  /// Sets the counts to those of the account at the end, which are exact.
  mutating func take(_ account: ChaosAccount) {
    for entry in account.entries where entry.fired > 0 {
      if firings[entry.name] == nil { order.append(entry.name) }
      firings[entry.name, default: Firings()].count = entry.fired
    }
    strikes = account.limits ?? []
  }

  /// The entries that fired, each on one line: `journal dies fired 2 times (fsync in sqlite3)`.
  var fired: [String] {
    let lines = order.prefix(Self.entryLimit).compactMap { name -> String? in
      guard let entry = firings[name] else { return nil }
      let times = entry.count == 1 ? "once" : "\(entry.count) times"
      let places = entry.places.joined(separator: ", ") + (entry.hasMorePlaces ? ", …" : "")
      return "\(name) fired \(times)" + (places.isEmpty ? "" : " (\(places))")
    }
    let more = order.count - Self.entryLimit
    return more > 0 ? lines + ["and \(more) more entries"] : lines
  }

  /// The limits that were met, each on one line.
  var limits: [String] { strikes.map(\.text) }

  /// Both, each line with what it is about.
  var lines: [String] { fired.map { "chaos: \($0)" } + limits }
}
