internal import CSupervisor
internal import FaultEngine
internal import Glibc
internal import ScenarioPlan

extension FunctionInjector {
  /// A program is about to be started: notes what is needed to watch its functions.
  func begin(of process: TargetProcess, vector: AuxiliaryVector) {
    guard let header = vector[UInt64(AT_SYSINFO_EHDR)]?.value,
      let image = vdso ?? KernelVDSO.current()
    else { return }
    process.program.functions = Breakpoints(systemCallInstruction: header + image.systemCallOffset)
  }

  /// A program has mapped a file to run code of it.
  func recordMapping(of tracee: Tracee, _ registers: Registers) {
    let isFile = registers[argument: 3] & UInt64(MAP_ANONYMOUS) == 0
    guard isFile, registers[argument: 2] & UInt64(PROT_EXEC) != 0, tracee.process.hasEntered,
      tracee.process.program.functions != nil
    else { return kernel.resume(tracee) }
    kernel.complete(tracee, original: registers, with: registers) { [unowned self] current in
      guard current.result > 0 else { return }
      // What is mapped anew is not what was there.
      tracee.process.program.functions?.forget(objectAt: UInt64(current.result))
      watch(of: tracee, current, isAtEntry: false)
    }
  }

  /// Searches the files that a process has mapped, and hooks the functions that points name.
  ///
  /// The thread is stopped where it runs no code that is written over: at the program's own
  /// beginning, or in the call that maps the file. Its registers are the caller's to write back.
  func watch(of tracee: Tracee, _ registers: Registers, isAtEntry: Bool) {
    let process = tracee.process
    guard let memory = process.memory, process.program.functions != nil,
      let text = SmallFile.read("/proc/\(process.identifier.number)/maps")
    else { return }
    let list = MappingList(text)
    process.program.functions?.code = list.mappings.filter(\.isExecutable).map(\.range)
    process.program.functions?.callers = [:]
    var fresh: [(object: LoadedObject, table: SymbolTable)] = []
    for mapping in list.code {
      let path = String(mapping.path)
      guard let table = hooks.table(of: path, in: process.identifier.number),
        let base = table.base(ofMapping: mapping.range.lowerBound, at: mapping.offset),
        let range = list.range(of: mapping.path),
        process.program.functions?.search.begin(mapping.range.lowerBound) ?? false
      else { continue }
      fresh.append(
        (
          LoadedObject(
            path: path, base: base, code: mapping.range.lowerBound, range: range), table
        ))
    }
    let program = SmallFile.link("/proc/\(process.identifier.number)/exe") ?? ""
    let order = LinkOrder(program: fresh.first { $0.object.path == program }, memory: memory)
    fresh.sort {
      order.rank(of: $0.object, program: program) < order.rank(of: $1.object, program: program)
    }
    var plans: [(object: LoadedObject, table: SymbolTable, sites: [PlannedSite])] = []
    for (object, table) in fresh {
      for helper in [FunctionHooks.errorLocation, FunctionHooks.throwing] {
        guard let symbol = table.symbols.first(where: { $0.name == helper }),
          process.program.functions?.helpers[helper] == nil
        else { continue }
        process.program.functions?.helpers[helper] = object.base &+ symbol.value
      }
      let sites = plannedSites(in: object, table, isProgram: object.path == program, of: process)
      if !sites.isEmpty { plans.append((object, table, sites)) }
    }
    reportLeftOut(to: process)
    for plan in plans {
      let room = TrampolinePage(
        functions: self, tracee: tracee, registers: registers, memory: memory)
      let isLinked = isAtEntry && (plan.table.hasInterpreter || plan.object.path != program)
      if !room.watch(plan.sites, in: plan.object, plan.table, isLinked: isLinked) {
        kernel.notice(
          "cannot watch functions of \(plan.object.name) in \"\(process.programName)\"",
          of: process)
      }
    }
    _ = try? registers.write(to: tracee.identifier)
    kernel.sendPostponedSignals(to: tracee)
  }

  /// Warns of functions that an entry names by a pattern, and that cannot return what it gives.
  private func reportLeftOut(to process: TargetProcess) {
    for (point, entry) in points {
      // An entry that names functions one by one fails if none is left, and says why.
      guard hooks.faults.points[point].names.contains(where: { $0.contains("*") }),
        let words = hooks.takeFreshlyLeftOut(of: point)
      else { continue }
      kernel.notice(
        "left out of the chaos entry \"\(rules.table.entries[entry].name)\": \(words)", of: process)
    }
  }

  /// A function that is to be watched, and for which points.
  struct PlannedSite {
    var symbol: SymbolTable.Symbol
    var points: [Int]
    var isAllocator: Bool
  }

  /// Returns the kinds of values that a point's entry gives in place of a function's own.
  ///
  /// A survey counts the calls of all functions, and chooses among them itself.
  private func replacements(point: Int) -> Set<FunctionConvention.Replacement> {
    guard let entry = points.first(where: { $0.point == point })?.entry,
      !(faults.survey?.isAbout(entry) ?? false)
    else { return [] }
    return rules.table.entries[entry].provider.replacements
  }

  /// Returns the functions that cannot return what an entry gives, by their addresses, each with the reason.
  ///
  /// Several symbols may name one function, of which one says what it returns.
  private func obstacles(
    among symbols: [SymbolTable.Symbol], of object: LoadedObject,
    to replacements: Set<FunctionConvention.Replacement>, in process: TargetProcess
  ) -> [UInt64: String] {
    var obstacles: [UInt64: String] = [:]
    guard !replacements.isEmpty else { return obstacles }
    let goNames = symbols.map(\.name).filter { FunctionConvention.of($0) == .go }
    let results =
      goNames.isEmpty
      ? [:] : hooks.goResults(of: object.path, in: process.identifier.number)
    for name in goNames { process.program.functions?.goResults[name] = results[name] }
    for symbol in symbols where obstacles[symbol.value] == nil {
      obstacles[symbol.value] =
        replacements.lazy.compactMap {
          FunctionConvention.obstacle(to: $0, of: symbol.name)
            ?? results[symbol.name]?.obstacle(to: $0, of: symbol.name)
        }.first
    }
    return obstacles
  }

  /// Returns the functions of a file that points name.
  private func plannedSites(
    in object: LoadedObject, _ table: SymbolTable, isProgram: Bool, of process: TargetProcess
  ) -> [PlannedSite] {
    let definesAllocator = table.symbols.contains { $0.name == "malloc" }
    var sites: [PlannedSite] = []
    for (index, point) in hooks.faults.points.enumerated() {
      let named = table.symbols.filter { hooks.names[index].contains($0.name) }
      let obstacles = obstacles(
        among: named, of: object, to: replacements(point: index), in: process)
      for symbol in named {
        switch point.place {
        case .anywhere:
          let isFound =
            process.program.functions?.search.hasFound(symbol.name, of: index) ?? false
          guard symbol.isExported || isProgram, !isFound else { continue }
        case .program:
          guard isProgram else { continue }
        case .library(let name):
          guard !isProgram, object.isLibrary(named: name) else { continue }
        }
        if let reason = obstacles[symbol.value] {
          hooks.leaveOut(symbol.name, of: index, because: reason)
          continue
        }
        // libstdc++'s own operators call malloc, and throw where that fails.
        if point.isAllocator, symbol.name.hasPrefix("_Zn"), !definesAllocator { continue }
        hooks.record(symbol.name, of: index, in: object)
        if let place = sites.firstIndex(where: { $0.symbol.value == symbol.value }) {
          if !sites[place].points.contains(index) { sites[place].points.append(index) }
          sites[place].isAllocator = sites[place].isAllocator || point.isAllocator
        } else {
          sites.append(
            PlannedSite(symbol: symbol, points: [index], isAllocator: point.isAllocator))
        }
      }
    }
    // Only now: a name may stand for several versions of a function.
    for site in sites {
      for point in site.points {
        process.program.functions?.search.record(
          site.symbol.name, of: point, in: object.code)
      }
    }
    return sites
  }
}

/// The order in which the dynamic linker looks for a name (`link.h`: struct r_debug and struct
/// link_map).
struct LinkOrder {
  private var ranks: [UInt64: Int] = [:]
  private static let limit = 4096

  /// Reads the list of a program that has been linked; it stays empty for a static program.
  init(program: (object: LoadedObject, table: SymbolTable)?, memory: TargetMemory) {
    guard let program, let section = program.table.dynamicSection else { return }
    var position = program.object.base &+ section
    var list: UInt64 = 0
    for _ in 0..<Self.limit {
      guard let tag = memory.read(Int64.self, at: position), tag != Int64(DT_NULL) else { break }
      if tag == Int64(DT_DEBUG) {
        list = memory.read(UInt64.self, at: position &+ 8) ?? 0
        break
      }
      position &+= 16
    }
    guard list != 0, var map = memory.read(UInt64.self, at: list &+ 8) else { return }
    while map != 0, ranks.count < Self.limit, let base = memory.read(UInt64.self, at: map) {
      guard ranks.updateValue(ranks.count, forKey: base) == nil else { break }
      map = memory.read(UInt64.self, at: map &+ 24) ?? 0
    }
  }

  /// The object's place: the program first, what is not in the list last.
  func rank(of object: LoadedObject, program: String) -> Int {
    object.path == program ? -1 : ranks[object.base] ?? Int.max
  }
}
