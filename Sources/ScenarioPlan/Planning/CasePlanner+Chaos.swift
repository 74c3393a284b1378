internal import ScenarioModel

extension CasePlanner {
  mutating func planChaos(_ entry: ChaosEntry) -> PlannedChaos? {
    let families = entry.calls.compactMap { call in
      data.diagnostics.catching(at: call.range) { () throws(PatternError) in
        try SystemCallFamily.named(call.value)
      }
    }
    for (family, call) in zip(families, entry.calls) where families.count == entry.calls.count {
      if let path = entry.path, !family.hasPath {
        report(
          "\"\(call.value)\" takes neither a path nor a file", at: path.range,
          help: family.hasHost
            ? "match it by host: where: { host: api.example.com }" : "take out \"path\"")
      }
      if let host = entry.host, !family.hasHost {
        report(
          "\"\(call.value)\" takes no address", at: host.range,
          help: "take out \"host\", or name a call such as connect, send or recv")
      }
    }
    let path = entry.path.flatMap { text in
      data.diagnostics.catching(at: text.range) { () throws(PatternError) in
        let pattern = GlobPattern(text.value)
        try pattern.validate()
        return pattern
      }
    }
    if entry.after < 0 || entry.times.map({ $0 < 1 }) ?? false {
      report(
        "\"after\" counts from 0 and \"times\" from 1", at: entry.range,
        help: "write when: { after: 2, times: 1 }")
    }
    let error = data.diagnostics.catching(at: entry.error.range) { () throws(PatternError) in
      try ErrorNumber.named(entry.error.value)
    }
    guard let error else { return nil }
    var seen: Set<String> = []
    let calls = families.flatMap(\.members).map(\.name).filter { seen.insert($0).inserted }
    return PlannedChaos(
      name: entry.name.value, systemCalls: calls, path: path,
      host: entry.host?.value.lowercased(), after: entry.after, times: entry.times, error: error,
      range: entry.range)
  }
}
