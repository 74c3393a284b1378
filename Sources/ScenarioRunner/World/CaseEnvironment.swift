internal import Foundations
internal import Glibc
internal import MockServer
internal import Patterns
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import Supervisor

/// The environment of one case: its directory, its mock server, its supervisor.
///
/// Nothing of it is shared.
final class CaseEnvironment {
  /// The case's folders.
  let directory: CaseDirectory
  /// Compares texts with snapshots.
  let snapshots: SnapshotSession
  /// The mock server that the targets talk to; `nil` where the network is left alone.
  let mockServer: (any CaseMockServer)?
  /// The supervisor of the targets.
  let supervisor: any CaseSupervisor
  /// The scenario's clocks.
  let view: ClockView
  /// The number of threads that the targets have.
  let census: ThreadCensus
  /// Network failures of the targets, in order.
  let findings: NetworkFindings

  /// The values that steps have captured.
  let captures: CapturedValues

  /// The authority that the targets trust; `nil` where no host uses TLS.
  let authority: RunAuthority?
  private let trustFiles: TrustFiles

  /// The sockets on which targets report that they are ready, by their numbers.
  private let notifySockets: [Int: NotifySocket]

  /// The reapers of the commands that steps have run: whatever these have left running ends with the case.
  private var helperKeepers: [HelperReaper] = []

  let plannedCase: PlannedCase
  private let options: RunOptions
  /// Redacts secrets in reports.
  var secrets: SecretRedactor { options.secrets }
  /// A folder of the host's, in which the target works; it stays as the target leaves it, as the
  /// case's own folders know nothing of it.
  private let place: HostDirectory?
  /// The hosts' network; `nil` if there are none.
  private let hosts: HostNetwork?
  /// The loopback that the targets on no host bind.
  private let loopback: LoopbackUse
  /// Leads the mock server to the supervisor, which is made later.
  private let link: SupervisorLink
  /// The programs that answer requests in the mock server's place.
  private let programs: AnsweringPrograms

  init(
    _ plannedCase: PlannedCase, number: Int, folder: RunFolder, options: RunOptions,
    inbox: CaseLog.Inbox, survey: FaultSurvey? = nil, deadlineLimit: Int? = nil, attempt: Int = 1,
    place: HostDirectory? = nil, parts: CaseParts = .real
  ) throws(Failure) {
    self.plannedCase = plannedCase
    self.options = options
    captures = CapturedValues(secrets: options.secretValues)
    self.place = place
    let name = attempt == 1 ? "case-\(number)" : "case-\(number)-attempt-\(attempt)"
    let directory = try CaseDirectory(name, in: folder.path, pool: folder.pool)
    self.directory = directory
    snapshots = SnapshotSession(
      options.snapshots, number: number, identifier: plannedCase.identifier, directory: directory,
      secrets: options.secrets)
    let view = ClockView(
      plannedCase.clock, present: RealTime.wall(), deviations: plannedCase.targets.map(\.clock))
    self.view = view
    let findings = NetworkFindings(before: plannedCase.target.commandRange)
    self.findings = findings
    var context = MockServerSurroundings(
      view: view, findings: findings, inbox: inbox, captures: captures)
    census = context.census
    let needsAuthority =
      plannedCase.network?.speaksTLS ?? false
      || plannedCase.chaos.contains { $0.target.kind == .link }
    authority = needsAuthority ? try folder.authority() : nil
    trustFiles = TrustFiles(
      plannedCase.network?.trustFiles ?? [], in: directory, work: place?.folder ?? directory.work)
    let answersNames = plannedCase.network?.needsMockServer ?? false
    let hosts = try plannedCase.hostNetwork()
    context.hostNetwork = hosts
    let loopback = place == nil ? try plannedCase.loopback(options.ports) : .shared
    self.hosts = hosts
    self.loopback = loopback
    let names = plannedCase.network?.names
    let nameFiles =
      hosts != nil || names?.search.isEmpty == false || names?.dots != nil
      ? try NameFiles(folder: directory.root, hosts: plannedCase.hosts, names: names)
      : answersNames ? try folder.nameFiles() : nil
    mockServer = try parts.mockServer(
      context, plannedCase, directory, { () throws(Failure) in try folder.authority() }, options)
    let sockets: [Int: NotifySocket]
    do throws(Failure) {
      sockets = try Self.openNotifySockets(of: plannedCase, in: directory, view)
    } catch {
      mockServer?.shutdown()
      throw error
    }
    do {
      var configuration = SupervisorConfiguration(
        clock: plannedCase.clock, view: view, chaos: plannedCase.chaos,
        directory: place?.folder ?? directory.work,
        router: Self.router(for: plannedCase, mockServer, findings, folder.machine()),
        fileReplacements: (authority == nil ? [] : trustFiles.replacements)
          + (authority?.fileReplacements ?? []) + (nameFiles?.fileReplacements ?? []),
        trustVariables: TrustStore.variableNames,
        externalThreads: (mockServer?.threadIdentifiers ?? [])
          + sockets.sorted { $0.key < $1.key }.map(\.value.thread).filter { $0 > 0 },
        awaitsAnswer: { [pendingUpstreamCalls = mockServer?.pendingUpstreamCalls] in
          pendingUpstreamCalls?.hasAny ?? false
        },
        report: {
          inbox.add(
            $0, allowsEscapes: plannedCase.clock?.escapes == .allow,
            range: plannedCase.range(of: $0), clock: view)
        })
      configuration.fileTemplate = authority?.databaseTemplate(in: directory.root)
      configuration.mayOthersAct = place != nil || plannedCase.letsOthersAct
      configuration.relaysOthers = plannedCase.network?.mayGoLive ?? true
      if plannedCase.network?.trustVariables == nil {
        configuration.trustByKind = authority?.trustByKind
      }
      configuration.hosts = hosts
      configuration.loopback = loopback
      configuration.hostLinks = plannedCase.relaysHosts ? mockServer?.hostLinks : nil
      configuration.stopLog = options.stopLog.map { ($0, "case-\(number)") }
      configuration.census = context.census
      configuration.seed = plannedCase.seed
      configuration.limits = plannedCase.target.limits
      configuration.fileBounds = Self.bounds(
        of: plannedCase, folders: [directory.root] + (place.map { [$0.folder] } ?? []),
        isSurveyed: survey != nil)
      configuration.entropy = plannedCase.entropy == .seeded ? .seeded(plannedCase.seed) : .real
      configuration.takesTurns = plannedCase.order == .seeded
      configuration.replies = context.replies
      configuration.survey = survey
      configuration.fileWatch = place?.watch
      configuration.keepsFileModeMask = place != nil
      let isVirtual = plannedCase.clock != nil
      inbox.stamp(asTimeline: options.reportsTimeline, in: directory.work) {
        let reading = view.reading()
        return CaseLog.Inbox.Time(
          elapsed: reading.elapsed, wall: isVirtual ? reading.wall : nil)
      }
      // A survey asks what a target does, and not why it fails.
      if survey == nil || options.reportsTimeline {
        let hostNames = TargetNames(plannedCase.targets)
        configuration.sight = { inbox.add($0, clock: view, hosts: hostNames) }
        configuration.namesWriters = options.reportsTimeline
        configuration.seesDueWaits = options.reportsTimeline
      }
      if let deadlineLimit { configuration.deadlineLimit = deadlineLimit }
      supervisor = try parts.supervisor(configuration, context.link)
    } catch {
      mockServer?.shutdown()
      for socket in sockets.values { socket.close() }
      throw Failure(error, program: "", range: plannedCase.target.commandRange)
    }
    link = context.link
    programs = context.programs
    notifySockets = sockets
    do {
      try stageFiles()
    } catch {
      end()
      throw error
    }
  }

  /// The folder in which targets work: `${{ dir }}`.
  var work: String { place?.folder ?? directory.work }

  /// Kills the target's tree, closes the mock server and removes the directory, unless that is to stay.
  func end(keepsFolder: Bool = false) {
    supervisor.stop()
    if case .onDemand(let ports, _) = loopback { ports.end() }
    for keeper in helperKeepers { keeper.endAll() }
    for socket in notifySockets.values { socket.close() }
    // They call the mock server back.
    programs.close()
    mockServer?.shutdown()
    link.cut()
    if !keepsFolder { directory.remove() }
  }

  /// The last lines that the programs of handlers have written to standard error.
  var handlerErrors: [String] {
    programs.errors().flatMap { program in
      LastLines.text(
        program.end, isCut: program.isCut,
        of: "the standard error of the handler \"\(program.command.first ?? "")\"")
    }
  }

  /// Waits until the mock server has handled what the target has sent.
  ///
  /// Under load the kernel delivers a packet of loopback some time after its sender is gone.
  func catchUp() {
    guard let mockServer else { return }
    supervisor.awaitRest()
    mockServer.catchUp()
  }

  /// The folders in which targets may change files; a survey repeats the same run, and reports nothing of it.
  private static func bounds(
    of plannedCase: PlannedCase, folders: [String], isSurveyed: Bool
  ) -> FileBounds? {
    let rule = plannedCase.outsideFiles ?? .report
    guard rule == .refuse || rule == .report && !isSurveyed else { return nil }
    return FileBounds(folders: folders, refuses: rule == .refuse)
  }

  private static func router(
    for plannedCase: PlannedCase, _ mockServer: (any CaseMockServer)?, _ findings: NetworkFindings,
    _ machine: MachineAddresses
  ) -> (any ConnectionRouter)? {
    if let mockServer, let network = plannedCase.network {
      return mockServer.router(
        loopback: network.loopback, machine: machine,
        targetNames: plannedCase.targets.map { $0.name ?? "target" })
    }
    return plannedCase.network == nil
      ? ClosedRouter(findings: findings, machine: machine) : LiveRouter(machine: machine)
  }

  // MARK: - Files

  private func stageFiles() throws(Failure) {
    for file in plannedCase.targets.flatMap(\.files) {
      do {
        try lay(file, at: "\(work)/\(file.path)")
      } catch {
        throw error.at(file.range)
      }
    }
    if let authority { try trustFiles.write(authority.authority) }
    if plannedCase.clock?.files == .virtual {
      try FileTree.stamp(directory.root, with: view.reading().wall)
    }
  }

  /// Puts a file, a link or a folder where it belongs.
  func lay(_ file: PlannedFile, at path: String) throws(Failure) {
    switch file.content {
    case .link(let target): try FileTree.makeLink(to: try resolve(target), at: path)
    case .folder: try FileTree.makeFolder(path, mode: file.mode)
    default: try FileTree.write(try content(of: file), to: path, mode: file.mode)
    }
  }

  /// The content of a planned file, its values filled in.
  private func content(of file: PlannedFile) throws(Failure) -> [UInt8] {
    switch file.content {
    case .link, .folder: return []
    case .text(let text):
      return Array(try resolve(text).utf8)
    case .json(let data):
      return Array((try resolve(data).jsonText(pretty: true) + "\n").utf8)
    case .copy(let source):
      do {
        return try FileTree.read(source)
      } catch {
        throw Failure(error, path: source)
      }
    }
  }

  // MARK: - Launching

  /// The launch request of a target: the planned command with more arguments.
  func launchRequest(
    of index: Int, adding arguments: [PlannedText], keepsInputOpen: Bool
  ) throws(Failure) -> LaunchRequest {
    let target = plannedCase.targets[index]
    var words: [String] = []
    for word in target.command { words.append(try resolve(word)) }
    if target.isShellCommand == true, let script = words.last, ShellText.runsNothing(script) {
      throw Failure.emptyScript(at: target.commandRange)
    }
    // sh(1): what follows the command is its $0, and then $1.
    if target.isShellCommand == true, !arguments.isEmpty { words.append("sh") }
    for word in arguments { words.append(try resolve(word)) }
    var environment = try environment(of: target)
    if let socket = notifySockets[index] {
      socket.reset()
      environment.removeAll { $0.name == "NOTIFY_SOCKET" }
      environment.append(("NOTIFY_SOCKET", socket.address))
    }
    if let bound = plannedCase.watchdog(ofTarget: index) {
      environment.removeAll { ["WATCHDOG_USEC", "WATCHDOG_PID"].contains($0.name) }
      environment.append(("WATCHDOG_USEC", "\(max(1, bound.count / 1_000))"))
    }
    let searchPath = environment.last { $0.name == "PATH" }?.value ?? ""
    let search = ProgramSearch(
      searchPath: searchPath, workDirectory: work,
      scenarioFolder: target.folder ?? plannedCase.folder ?? plannedCase.file.parentFolder)
    guard let program = words.first, let path = search.find(program) else {
      throw Failure.programNotFound(
        words.first ?? "", searchPath: searchPath, range: target.commandRange)
    }
    // A path that counts from the scenario's folder leads nowhere from the target's own, and programs look
    // for what belongs to them beside themselves.
    if program.contains("/") { words[0] = path }
    var input = LaunchRequest.Input.empty
    if keepsInputOpen { input = .open }
    if let text = target.standardInput { input = .bytes(Array(try resolve(text).utf8)) }
    var request = LaunchRequest(
      path: path, arguments: words, environment: environment.map { "\($0.name)=\($0.value)" },
      directory: try workFolder(target.workingDirectory, at: target.commandRange), input: input)
    request.terminal = target.terminal
    return request
  }

  /// The socket on which a target reports that it is ready; `nil` where it is not asked to.
  func notifySocket(ofTarget index: Int) -> NotifySocket? { notifySockets[index] }

  /// Arranges for what a command has left running to be ended with the case.
  func keep(_ keeper: HelperReaper) {
    if keeper.isIdle { keeper.endAll() } else { helperKeepers.append(keeper) }
  }

  /// The sockets of the targets that are to say that they are ready, or that they live.
  private static func openNotifySockets(
    of plannedCase: PlannedCase, in directory: CaseDirectory, _ view: ClockView
  ) throws(Failure) -> [Int: NotifySocket] {
    var sockets: [Int: NotifySocket] = [:]
    for (index, target) in plannedCase.targets.enumerated() {
      let isWatched = plannedCase.watchdog(ofTarget: index) != nil
      guard let kind = target.readiness?.notifySocket ?? (isWatched ? .path : nil) else { continue }
      do {
        sockets[index] = try NotifySocket(path: "\(directory.root)/notify-\(index)", kind: kind) {
          view.reading().elapsed
        }
      } catch {
        for socket in sockets.values { socket.close() }
        throw error
      }
    }
    return sockets
  }

  /// The search path of programs, unless the scenario says otherwise.
  static let searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

  /// The target's environment: a few names that every program expects, the variables about trust that the
  /// scenario lists, what is let through, and the scenario's own, which wins.
  func environment(
    of target: PlannedTarget
  ) throws(Failure) -> [(name: String, value: String)] {
    var list: [(name: String, value: String)] = [
      ("HOME", directory.home), ("LANG", "C.UTF-8"),
      ("PATH", Self.searchPath),
      ("TMPDIR", directory.temporary), ("TZ", "UTC"),
      ("XDG_CACHE_HOME", directory.home + "/.cache"),
      ("XDG_CONFIG_HOME", directory.home + "/.config"),
      ("XDG_DATA_HOME", directory.home + "/.local/share"),
      ("XDG_RUNTIME_DIR", directory.runtime),
      ("XDG_STATE_HOME", directory.home + "/.local/state"),
    ]
    func set(_ name: String, _ value: String) {
      list.removeAll { $0.name == name }
      list.append((name, value))
    }
    // The least that a program can believe of a terminal.
    if target.terminal != nil { set("TERM", "dumb") }
    if let authority {
      for variable in plannedCase.network?.trustVariables ?? [] {
        let (name, value) = authority.assignment(of: variable)
        set(name, value)
      }
    }
    for name in target.passedEnvironment {
      if let value = options.environment[name] { set(name, value) }
    }
    for variable in target.environment {
      set(variable.name, try resolve(variable.value))
    }
    return list
  }

  // MARK: - Values

  /// Fills in what only the run knows.
  func resolve(_ text: PlannedText) throws(Failure) -> String {
    do {
      return try text.resolve(in: scope)
    } catch {
      throw Failure(error)
    }
  }

  /// Fills in what only the run knows.
  func resolve(_ data: PlannedData) throws(Failure) -> Value {
    do {
      return try data.resolve(in: scope)
    } catch {
      throw Failure(error)
    }
  }

  /// The scope of this case's expressions.
  var scope: CaseScope {
    var scope = CaseScope(directory: work, captures: captures)
    scope.snapshots = snapshots
    scope.targetAddresses = plannedCase.entrances(hosts, loopback)
    return scope
  }

  /// The scope of conditions that are expected of the case.
  var expectationScope: CaseScope {
    var scope = scope
    scope.isExpectation = true
    return scope
  }
}
