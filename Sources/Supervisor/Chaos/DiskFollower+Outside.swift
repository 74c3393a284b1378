internal import Foundations
internal import Glibc

/// A call by which a command outside the world is about to make files durable, or to change them.
struct OutsideFileCall: Sendable {
  /// Its number and arguments; the number is −1 for one of another architecture.
  var registers: Registers
  /// The process that makes it.
  var thread: ThreadIdentifier
  /// Whose command that is, by its keeper's number.
  var command: Int32
}

extension DiskFollower {
  /// Takes note of a call of a command outside the world, which waits meanwhile.
  func recordOutsideCall(_ outside: OutsideFileCall) {
    guard let log = unsyncedLog else { return }
    let registers = outside.registers
    guard let call = DiskCall.calls[registers.systemCall] else {
      return log.recordBlindness(
        "an `exec:` step makes calls whose writes are not known")
    }
    switch call {
    case .sync, .syncDisk, .syncAll, .syncMapping:
      let arguments = [registers[argument: 0], registers[argument: 1]]
      guard let begun = beginSync(call, of: outside.thread, arguments, log) else { return }
      log.endSync(begun)
    default:
      guard let memory = TargetMemory(of: outside.thread) else {
        return log.recordBlindness("the writes of an `exec:` step cannot be observed")
      }
      let reader = DiskOperationReader(ofThread: outside.thread, registers, memory)
      guard let touch = reader.read(call) ?? reader.creationBehindLink(call) else { return }
      log.beginOutsideWrite(touch, by: outside.command)
    }
  }
}
