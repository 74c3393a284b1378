internal import FaultEngine

/// The program that a process runs in its address space: gone when it runs another program
/// (execve(2)).
final class RunningProgram {
  /// Program and arguments.
  let arguments: [String]
  /// The program's name without its folder.
  let name: String
  /// The image that was mapped into it; `nil` until it runs under the supervisor.
  var image: InjectedImage?
  /// True if it has reached its own first instruction, behind the dynamic loader.
  var hasEntered = false
  /// The address of the breakpoint at its entry, and the byte that it replaces.
  var entryBreakpoint: (address: UInt64, original: UInt8)?
  /// The functions that are watched in it.
  var functions: Breakpoints?
  /// The path by which it was started; `nil` until it is read, and where it is not known.
  var startPath: String?
  /// Its names, once they have been looked up.
  var names: ProgramNames?
  /// The places in files of addresses of its code, as far as they have been looked up.
  var sites: [UInt64: String] = [:]
  /// The dumpable flag that the process has set (prctl(2)), where the kernel does not get it.
  var dumpableFlag = DumpableFlag.on
  /// True if it was started among many at one instant, and has not read the clock yet.
  var isNewcomer = false
  /// The ways in which it learned which certificate authorities to trust.
  let trust: TrustUse
  /// The areas of its memory that calls borrow.
  var scratch = ScratchAreas()
  /// Its address space.
  let addressSpace: ProgramMemory

  /// A program that begins.
  init(of process: ThreadIdentifier, arguments: [String], memories: OpenMemories) {
    addressSpace = ProgramMemory(of: process, memories: memories)
    self.arguments = arguments
    name = Self.name(in: arguments.first ?? "?")
    trust = TrustUse()
  }

  /// The name in a first argument, which may be any text: one line of 80 characters at most.
  private static func name(in path: String) -> String {
    let name = path.split(separator: "/").last ?? path[...]
    let line = name.prefix { !$0.isNewline }.prefix(80)
    return line.count < name.count ? line + "…" : String(name)
  }

  /// The same program, as a child of fork(2) runs it on.
  init(of process: ThreadIdentifier, forkedFrom other: RunningProgram, memories: OpenMemories) {
    addressSpace = ProgramMemory(of: process, memories: memories)
    arguments = other.arguments
    name = other.name
    image = other.image
    hasEntered = other.hasEntered
    entryBreakpoint = other.entryBreakpoint
    functions = other.functions
    startPath = other.startPath
    names = other.names
    sites = other.sites
    dumpableFlag = other.dumpableFlag
    trust = TrustUse(inheriting: other.trust)
  }

  /// The memory; `nil` if it is gone.
  var memory: TargetMemory? { addressSpace.open() }
}
