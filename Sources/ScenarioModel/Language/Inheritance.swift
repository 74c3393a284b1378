package import Foundations

// How what stands nearer joins what stands further away: a scenario the file's top, a file's top what `include` brings.
//
// A map is joined key by key, and what stands nearer wins; the entries of `responses`, `chaos`, `tags` and of `requests`
// below `expect` are added, nearer ones first; all else is replaced. What `override` names stands alone.

extension ScenarioBody {
  /// The keys of which something can be inherited.
  package static let inheritedKeys = [
    "build", "chaos", "cleanup", "clock", "expect", "explore", "factories", "files", "network",
    "responses", "sequences", "state", "tags", "target", "targets",
  ]

  /// The body without what it says of some keys, as it is seen by who overrides them.
  package func without(_ keys: [Located<String>]) -> ScenarioBody {
    guard !keys.isEmpty else { return self }
    let empty = ScenarioBody()
    var body = self
    for key in keys {
      switch key.value {
      case "build": body.builds = empty.builds
      case "chaos": body.chaos = empty.chaos
      case "cleanup": body.cleanup = empty.cleanup
      case "clock": body.clock = empty.clock
      case "expect": body.expect = empty.expect
      case "explore": body.explore = empty.explore
      case "factories": body.factories = empty.factories
      case "files": body.files = empty.files
      case "network": body.network = empty.network
      case "responses": body.responses = empty.responses
      case "sequences": body.sequences = empty.sequences
      case "state": body.state = empty.state
      case "tags": body.tags = empty.tags
      case "target": body.target = empty.target
      case "targets": body.targets = empty.targets
      default: break
      }
    }
    return body
  }
}

extension TargetSettings {
  /// True if it says what to run.
  package var hasCommand: Bool {
    if case .arguments(let words) = command { !words.isEmpty } else { true }
  }

  /// The settings with what they do not say taken from others.
  package func over(_ other: TargetSettings?) -> TargetSettings {
    guard let other else { return self }
    var merged = self
    if !hasCommand { (merged.command, merged.commandRange) = (other.command, other.commandRange) }
    merged.environment = environment.over(other.environment)
    merged.passedEnvironment += other.passedEnvironment.filter { name in
      !passedEnvironment.contains { $0.value == name.value }
    }
    merged.files += other.files.filter { file in
      !files.contains { $0.path.value == file.path.value }
    }
    merged.standardInput = standardInput ?? other.standardInput
    merged.limits = limits?.over(other.limits) ?? other.limits
    merged.host = host ?? other.host
    merged.ready = ready ?? other.ready
    merged.stop = stop?.over(other.stop) ?? other.stop
    merged.terminal = terminal ?? other.terminal
    return merged
  }
}

extension TargetLimits {
  /// The limits with what they do not say taken from others.
  fileprivate func over(_ other: TargetLimits?) -> TargetLimits {
    var merged = self
    merged.memory = memory ?? other?.memory
    merged.files = files ?? other?.files
    merged.processes = processes ?? other?.processes
    return merged
  }
}

extension StopSettings {
  /// The settings with what they do not say taken from others.
  fileprivate func over(_ other: StopSettings?) -> StopSettings {
    StopSettings(signal: signal ?? other?.signal, grace: grace ?? other?.grace)
  }
}

extension [DataField] {
  /// These fields, and of others those whose names are not among them.
  package func over(_ others: [DataField]) -> [DataField] {
    let inherited = others.map { field in first { $0.key.value == field.key.value } ?? field }
    return inherited + filter { field in !others.contains { $0.key.value == field.key.value } }
  }
}

extension NetworkSettings {
  /// The settings with what they do not say taken from others.
  package func over(_ other: NetworkSettings?) -> NetworkSettings {
    guard let other else { return self }
    var merged = self
    merged.keys += other.keys.filter { key in !keys.contains { $0.value == key.value } }
    merged.loopback = loopback ?? other.loopback
    merged.mode = mode ?? other.mode
    merged.unused = unused ?? other.unused
    merged.unmatched = unmatched ?? other.unmatched
    merged.graphQL = graphQL?.over(other.graphQL) ?? other.graphQL
    merged.grpc = grpc?.over(other.grpc) ?? other.grpc
    merged.openAPI = openAPI.isEmpty ? other.openAPI : openAPI
    merged.names = names?.over(other.names) ?? other.names
    merged.hosts += other.hosts.filter { host in
      !hosts.contains { $0.pattern.value == host.pattern.value }
    }
    merged.routes += other.routes.filter { route in
      !routes.contains { $0.host.value == route.host.value }
    }
    merged.upstreams += other.upstreams.filter { rule in
      !upstreams.contains { $0.meant == rule.meant }
    }
    merged.recording = recording ?? other.recording
    merged.imports = imports.isEmpty ? other.imports : imports
    merged.trustVariables = trustVariables ?? other.trustVariables
    merged.trustFiles = trustFiles ?? other.trustFiles
    merged.redact = redact.isEmpty ? other.redact : redact
    return merged
  }
}

extension GRPCSettings {
  /// The settings with what they do not say taken from others.
  fileprivate func over(_ other: GRPCSettings?) -> GRPCSettings {
    GRPCSettings(
      protos: protos.isEmpty ? other?.protos ?? [] : protos,
      roots: roots.isEmpty ? other?.roots ?? [] : roots)
  }
}

extension GraphQLSettings {
  /// The settings with what they do not say taken from others.
  fileprivate func over(_ other: GraphQLSettings?) -> GraphQLSettings {
    var merged = self
    merged.schema = schema ?? other?.schema
    merged.replies = replies ?? other?.replies
    merged.persisted = persisted ?? other?.persisted
    merged.url = url ?? other?.url
    merged.initialisation = initialisation ?? other?.initialisation
    return merged
  }
}

extension ExploreSettings {
  /// The settings with what they do not say taken from others.
  package func over(_ other: ExploreSettings?) -> ExploreSettings {
    guard let other else { return self }
    var merged = self
    merged.points = points.isEmpty ? other.points : points
    merged.conditions = conditions ?? other.conditions
    merged.errors = errors ?? other.errors
    merged.modes = modes.isEmpty ? other.modes : modes
    merged.kinds = kinds.isEmpty ? other.kinds : kinds
    merged.grain = grain ?? other.grain
    merged.runLimit = runLimit ?? other.runLimit
    merged.timeLimit = timeLimit ?? other.timeLimit
    merged.ignored = ignored.isEmpty ? other.ignored : ignored
    merged.leakGrace = leakGrace ?? other.leakGrace
    merged.acceptedLeaks = acceptedLeaks.isEmpty ? other.acceptedLeaks : acceptedLeaks
    merged.includesStartup = includesStartup ?? other.includesStartup
    merged.then = then.isEmpty ? other.then : then
    merged.save = save ?? other.save
    return merged
  }
}

extension ExpectationBlock {
  /// Returns the conditions, and those of the other block about other subjects; requests are added.
  package func over(_ other: ExpectationBlock?) -> ExpectationBlock {
    guard let other else { return self }
    let own = Set(entries.compactMap(\.subjectName))
    return ExpectationBlock(
      entries: entries
        + other.entries.filter { entry in entry.subjectName.map { !own.contains($0) } ?? true })
  }
}

extension ExpectationBlock.Entry {
  /// The name of the entry's subject, by which one replaces another; `nil` for one that is added
  /// beside others.
  fileprivate var subjectName: String? {
    let name: String? =
      switch subject {
      // What ends by a signal has no exit code: both say how it ends.
      case .exit, .signal: "end"
      case .standardOutput: "stdout"
      case .standardError: "stderr"
      case .screen: "screen"
      case .watchdog: "watchdog"
      case .file(let pattern, _): "file \(pattern.value)"
      case .request, .requestOrder: nil
      case .state(let name, _): "state \(name.value)"
      case .chaos(let entry, let count, _): "chaos \(count.rawValue) \(entry.value)"
      case .timers: "timers"
      case .elapsed: "duration"
      case .clock: "clock"
      case .processes(let kind, _): "processes \(kind.rawValue)"
      case .tolerated: "tolerated"
      case .repeated(let check, _): check.quantity.rawValue
      }
    return name.map { "\(target?.value ?? "") \($0)" }
  }
}
