internal import CSupervisor
internal import Glibc

/// Requests of ioctl_tty(2).
enum TerminalRequest {
  /// The request TIOCSPTLCK, which unlocks a pseudo-terminal, so that its other end can be opened.
  static let unlock: UInt32 = 0x4004_5431
}

/// The services that terminals need of the tracing loop.
protocol TerminalKernel: TraceKernel {
  /// The targets.
  var targets: LaunchedTargets { get }
  /// Reads what the targets have written; true if there was any.
  func takeOutput() -> Bool
  /// Has ``Terminals/typeAnswers()`` called once the tree is at rest.
  func typeAnswersAtRest()
}

/// Pseudo-terminals (pty(7)).
///
/// Bytes that are written to one end reach the other by way of a thread of the kernel's. Until that has run,
/// both the writer and the reader sleep, and the bytes are under way.
final class Terminals: Interceptor {
  private unowned let kernel: any TerminalKernel
  /// True if the target has made one, or has one as its streams.
  private(set) var areInUse = false
  /// True if answers wait until the tree is at rest.
  private var awaitsRest = false

  let calls: Set<Int>? = [SystemCallNumber.ioctl]
  let filterRules: [Int: FilterRule]

  /// - Parameters:
  ///   - kernel: whose target it is.
  ///   - isVirtual: true if time is other than the machine's.
  init(kernel: any TerminalKernel, isVirtual: Bool) {
    self.kernel = kernel
    let unlocks = ArgumentValues(argument: 1, values: [TerminalRequest.unlock])
    filterRules = isVirtual ? [SystemCallNumber.ioctl: .traceIfAmong([unlocks])] : [:]
  }

  var obstacleToFork: String? { areInUse ? "the program has a terminal" : nil }

  /// A thread makes a request of a descriptor.
  func enter(_ call: InterceptedCall) -> CallDisposition {
    if UInt32(truncatingIfNeeded: call.registers[argument: 1]) == TerminalRequest.unlock {
      beginUse()
    }
    return .proceed
  }

  /// A target's own streams are a terminal, or it makes one.
  func beginUse() {
    areInUse = true
    kernel.lookAtAllSleepers()
    kernel.forgetQuiescence()
  }

  /// Has a target's terminal answer the queries up to now, before anything else is typed.
  func takeQuestions(of number: TargetNumber) {
    guard kernel.targets[number]?.isTerminal ?? false else { return }
    _ = kernel.takeOutput()
    kernel.targets[number]?.typeAnswers()
  }

  /// Types the answers, which waited for rest.
  func typeAnswers() {
    awaitsRest = false
    for target in kernel.targets.all { target.typeAnswers() }
  }

  /// Arranges for the answers of terminals to be typed once the tree is at rest.
  func answerAtRest() {
    guard areInUse, !awaitsRest, kernel.targets.all.contains(where: { !$0.answers.isEmpty })
    else { return }
    awaitsRest = true
    kernel.typeAnswersAtRest()
  }

  /// Copies of all ends of pseudo-terminals that the tree has, to be closed by the caller.
  ///
  /// Where a thread must be woken for a copy, it sleeps again afterwards.
  func copyEnds() -> TerminalEnds {
    var ends = TerminalEnds()
    for holder in kernel.processes.values.flatMap(\.descriptorHolders) {
      guard let tracee = kernel.tracees[holder] else { continue }
      let folder = "/proc/\(holder.number)/fd"
      for name in SmallFile.names(in: folder) {
        guard let number = Int32(name), let link = SmallFile.link("\(folder)/\(name)") else {
          continue
        }
        if link.hasSuffix("/ptmx") {
          ends.masters.append(kernel.copyDescriptor(number, of: tracee))
        } else if link.hasPrefix("/dev/pts/") {
          ends.slaves.append(
            DescriptorTransfer.isNeeded
              ? open("\(folder)/\(name)", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
              : kernel.copyDescriptor(number, of: tracee))
        }
      }
    }
    return ends
  }
}
