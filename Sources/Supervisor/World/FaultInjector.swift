internal import Glibc
internal import ScenarioPlan

/// Makes the calls fail that the chaos entries name.
struct FaultInjector {
  /// One call that some entry wants to see.
  private struct Call {
    /// Its place in the table's list.
    var index: Int
    var name: String
    var subjects: [SystemCallSubject]
  }

  private var table: ChaosTable
  private var calls: [Int: Call] = [:]

  /// Creates an injector.
  ///
  /// - Parameters:
  ///   - entries: the entries in order.
  ///   - directory: the case's directory, from which relative patterns count.
  init(entries: [PlannedChaos], directory: String?) {
    table = ChaosTable(entries: entries, directory: directory)
    for (index, name) in table.systemCallNames.enumerated() {
      // A call that this architecture does not have cannot be made either.
      guard let number = SystemCallTable.current.number(of: name) else { continue }
      calls[number] = Call(
        index: index, name: name, subjects: ScenarioPlan.SystemCall.named(name)?.subjects ?? [])
    }
  }

  /// The calls that entries want to see.
  var systemCalls: [Int] { calls.keys.sorted() }

  /// Whether there is nothing to inject.
  var isEmpty: Bool { calls.isEmpty }

  /// A call that fails, and why.
  struct Fault {
    var error: ErrorNumber
    var entry: String
    var systemCall: String
    var subject: String?
  }

  /// Counts a call and says whether it fails.
  mutating func fault(
    _ registers: Registers, in subjects: CallSubjectReader, router: (any ConnectionRouter)?
  ) -> Fault? {
    guard let call = calls[registers.systemCall] else { return nil }
    var paths: [String] = []
    if table.needsPath(call: call.index) {
      paths = call.subjects.compactMap { subjects.path($0, registers) }
    }
    var host: String?
    if table.needsHost(call: call.index) {
      host = call.subjects.lazy.compactMap { subjects.host($0, registers, router) }.first
    }
    let verdict = table.verdict(
      call: call.index, path: paths.first, otherPath: paths.dropFirst().first, host: host)
    guard case .fail(let error, let entry) = verdict else { return nil }
    return Fault(
      error: error, entry: table.entries[entry].name, systemCall: call.name,
      subject: paths.first ?? host)
  }

  /// How often each entry was met and fired.
  func account() -> [FaultAccount] {
    let unfired = Dictionary(uniqueKeysWithValues: table.unfired().map { ($0.entry, $0) })
    return table.entries.indices.map { index in
      FaultAccount(
        entry: table.entries[index].name, matched: table.counts[index].matched,
        fired: table.counts[index].fired, nearMisses: unfired[index]?.explanation ?? [])
    }
  }
}

/// How often a chaos entry was met.
public struct FaultAccount: Sendable, Hashable {
  /// The entry's name.
  public var entry: String
  /// How many calls matched it.
  public var matched: Int
  /// How many calls it made fail.
  public var fired: Int
  /// What came closest, for an entry that never fired.
  public var nearMisses: [String]
}

/// Finds out what a call acts on: the path or the host behind its arguments.
struct CallSubjectReader {
  let process: Int32
  let thread: Int32
  let memory: TargetMemory

  /// The absolute path that an argument names; `nil` if it names none.
  func path(_ subject: SystemCallSubject, _ registers: Registers) -> String? {
    switch subject {
    case .path(let argument, let directory):
      guard let text = memory.readText(at: registers[argument: argument]) else { return nil }
      guard !text.hasPrefix("/") else { return text }
      return folder(directory, registers).map { text.isEmpty ? $0 : "\($0)/\(text)" }
    case .descriptor(let argument):
      return descriptorPath(Int32(truncatingIfNeeded: registers[argument: argument]))
    case .socket, .address, .message:
      return nil
    }
  }

  private func folder(_ argument: Int?, _ registers: Registers) -> String? {
    let number = argument.map { Int32(truncatingIfNeeded: registers[argument: $0]) } ?? AT_FDCWD
    return number == AT_FDCWD
      ? SmallFile.link("/proc/\(thread)/cwd") : descriptorPath(number)
  }

  /// proc(5): sockets, pipes and the like show as `socket:[…]`, which is no path.
  private func descriptorPath(_ number: Int32) -> String? {
    SmallFile.link("/proc/\(process)/fd/\(number)").flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// The host that an argument names, by the name that was looked up, else by its address.
  func host(
    _ subject: SystemCallSubject, _ registers: Registers, _ router: (any ConnectionRouter)?
  ) -> String? {
    let place: (address: UInt64, length: UInt64)
    switch subject {
    case .address(let argument):
      place = (registers[argument: argument], registers[argument: argument + 1])
    case .message(let argument):
      let message = registers[argument: argument]
      guard let name = memory.read(UInt64.self, at: message),
        let length = memory.read(UInt32.self, at: message + 8)
      else { return nil }
      place = (name, UInt64(length))
    case .path, .descriptor, .socket:
      return nil
    }
    guard place.address != 0,
      case .internet(let address)? = SocketAddress(
        memory: memory, address: place.address, length: place.length)
    else { return nil }
    return router?.hostName(of: address) ?? address.unmapped.text
  }
}

extension SupervisorLoop {
  /// The errno that a call is to fail with; `nil` if it is to be made.
  func fault(for tracee: Tracee, _ registers: Registers) -> Int32? {
    guard !faults.isEmpty, let memory = tracee.process.memory else { return nil }
    let reader = CallSubjectReader(
      process: tracee.process.identifier.number, thread: tracee.identifier.number, memory: memory)
    guard let fault = faults.fault(registers, in: reader, router: configuration.router) else {
      return nil
    }
    report(
      .faultInjected(
        process: tracee.process.identifier.number, entry: fault.entry,
        systemCall: fault.systemCall, subject: fault.subject, error: fault.error.name))
    return fault.error.code
  }
}
