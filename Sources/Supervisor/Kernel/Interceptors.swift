/// The interceptors of a run, in the order in which they see a call.
struct Interceptors {
  /// All of them.
  let all: [any Interceptor]
  /// Those that a call's number is about, in the same order.
  private let byCall: [Int: [any Interceptor]]

  /// - Parameter all: the interceptors, whoever sees a call first at the front.
  init(_ all: [any Interceptor]) {
    self.all = all
    var byCall: [Int: [any Interceptor]] = [:]
    for interceptor in all {
      for number in interceptor.calls { byCall[number, default: []].append(interceptor) }
    }
    self.byCall = byCall
  }

  /// Which calls must be seen, by system call number: what each wants, joined.
  var filterRules: [Int: FilterRule] {
    all.reduce(into: [:]) { rules, interceptor in
      rules.merge(interceptor.filterRules) { $0.or($1) }
    }
  }

  /// Why the target cannot be forked now; `nil` if nothing speaks against it.
  var obstacleToFork: String? {
    for interceptor in all {
      if let obstacle = interceptor.obstacleToFork { return obstacle }
    }
    return nil
  }

  /// What the first interceptor that does not pass a call wants of it.
  func enter(_ call: InterceptedCall) -> CallDisposition {
    for interceptor in byCall[call.number] ?? [] {
      let disposition = interceptor.enter(call)
      if case .pass = disposition { continue }
      return disposition
    }
    return .pass
  }
}
