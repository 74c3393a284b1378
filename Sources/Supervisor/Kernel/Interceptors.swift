/// The interceptors of a run, in the order in which they see a call.
struct Interceptors {
  /// The interceptors, in the order in which they see a call.
  let all: [any Interceptor]
  /// The interceptors by the number of the calls that they see, in the same order.
  private let byCall: [Int: [any Interceptor]]
  /// The interceptors that see every call.
  private let always: [any Interceptor]

  /// Creates a list of interceptors.
  ///
  /// - Parameter all: the interceptors, in the order in which they see a call.
  init(_ all: [any Interceptor]) {
    self.all = all
    let wanted = all.map(\.calls)
    always = zip(all, wanted).compactMap { $1 == nil ? $0 : nil }
    var byCall: [Int: [any Interceptor]] = [:]
    for number in wanted.reduce(into: Set<Int>(), { $0.formUnion($1 ?? []) }) {
      byCall[number] = zip(all, wanted).compactMap { $1?.contains(number) ?? true ? $0 : nil }
    }
    self.byCall = byCall
  }

  /// The rules of all interceptors, joined, by system call number.
  var filterRules: [Int: FilterRule] {
    all.reduce(into: [:]) { rules, interceptor in
      rules.merge(interceptor.filterRules) { $0.or($1) }
    }
  }

  /// The reason why the target cannot be forked now; `nil` if there is none.
  var obstacleToFork: String? {
    for interceptor in all {
      if let obstacle = interceptor.obstacleToFork { return obstacle }
    }
    return nil
  }

  /// The interceptor of a kind; `nil` if this run has none.
  func find<Kind: Interceptor>(_ kind: Kind.Type) -> Kind? {
    for interceptor in all {
      if let found = interceptor as? Kind { return found }
    }
    return nil
  }

  /// Copies the state of a trunk's interceptors, each from the one of its kind.
  func inherit(from trunk: Interceptors) {
    for interceptor in all {
      let origin = trunk.all.first { type(of: $0) == type(of: interceptor) }
      if let origin { interceptor.inherit(from: origin) }
    }
  }

  /// Returns the disposition of the first interceptor that does not pass a call; those that only
  /// watch it are recorded with its thread.
  func enter(_ call: InterceptedCall) -> CallDisposition {
    for interceptor in byCall[call.number] ?? always {
      switch interceptor.enter(call) {
      case .pass: continue
      case .watch(let exit): call.tracee.watches.awaitExit(exit)
      case let disposition: return disposition
      }
    }
    return .pass
  }
}
