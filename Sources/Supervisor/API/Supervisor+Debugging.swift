internal import Glibc

extension Supervisor {
  /// Begins to debug a target's first process, whose threads stop; `nil` if it has ended, or another one is debugged.
  package func debug(_ target: TargetNumber) -> (any DebugTarget)? {
    let process = ask { loop -> ThreadIdentifier? in
      guard let launched = loop.targets[target], launched.status == nil,
        loop.debugger.attach(to: launched.process)
      else { return nil }
      return launched.process
    }
    return process.map { DebuggedProcess($0, of: self) }
  }
}

/// A process that is debugged, as the debugger's side sees it; its methods wait for the supervisor's thread.
private final class DebuggedProcess: DebugTarget {
  private let supervisor: Supervisor
  private let identifier: ThreadIdentifier

  init(_ identifier: ThreadIdentifier, of supervisor: Supervisor) {
    self.identifier = identifier
    self.supervisor = supervisor
  }

  var process: Int32 { identifier.number }

  var threads: [Int32] {
    supervisor.ask { [identifier] loop in
      let threads = loop.processes[identifier]?.threads.map(\.number).sorted() ?? []
      return [identifier.number].filter(threads.contains)
        + threads.filter { $0 != identifier.number }
    }
  }

  var program: String { SmallFile.link("/proc/\(process)/exe") ?? "" }

  var auxiliaryVector: [UInt8] { SmallFile.bytes("/proc/\(process)/auxv") ?? [] }

  func registers(of thread: Int32) -> [UInt8]? {
    supervisor.ask { _ in (try? Registers.read(from: ThreadIdentifier(thread)))?.debuggerBytes }
  }

  func setRegisters(_ bytes: [UInt8], of thread: Int32) -> Bool {
    supervisor.ask { _ in
      guard var registers = try? Registers.read(from: ThreadIdentifier(thread)) else {
        return false
      }
      return registers.setDebuggerBytes(bytes)
        && (try? registers.write(to: ThreadIdentifier(thread))) != nil
    }
  }

  func read(_ count: Int, at address: UInt64) -> [UInt8] {
    supervisor.ask { [identifier] loop in
      loop.processes[identifier]?.memory?.readBytes(count, at: address) ?? []
    }
  }

  func write(_ bytes: [UInt8], at address: UInt64) -> Bool {
    supervisor.ask { [identifier] loop in
      guard let memory = loop.processes[identifier]?.memory else { return false }
      return bytes.withUnsafeBytes { memory.write($0, at: address) }
    }
  }

  func resume(stepping thread: Int32?) {
    supervisor.ask { $0.debugger.resume(stepping: thread.map { ThreadIdentifier($0) }) }
  }

  func interrupt() { supervisor.ask { $0.debugger.interrupt() } }

  func stopReason() -> DebugStop? { supervisor.ask { $0.debugger.stopReason() } }

  func detach() { supervisor.ask { $0.debugger.detach() } }
}
