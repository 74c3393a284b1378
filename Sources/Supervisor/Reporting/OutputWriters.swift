internal import Glibc

/// Finds out which process of a target has written what was read of its output.
///
/// A pipe does not know who writes into it, and a stop at each write would cost more than the write. But the kernel counts
/// what each thread writes (proc(5), /proc/PID/task/TID/io), and the targets' output is read whenever a process is born, runs
/// a program or ends. So who alone has written since then, and enough, has written it; and where no one that lives has
/// written anything, it was the one that has ended. A thread that ends takes its count along, so that its process counts as
/// one that has written. Everything else stays unknown. Bytes that splice(2) or io_uring move are not
/// counted.
final class OutputWriters {
  /// A process, as reports name it.
  struct Writer: Equatable {
    var number: Int32
    var ordinal: Int

    init(_ process: TargetProcess) {
      (number, ordinal) = (process.identifier.number, process.ordinal)
    }

    init(number: Int32, ordinal: Int) {
      (self.number, self.ordinal) = (number, ordinal)
    }
  }

  /// The maximum number of threads that are looked at.
  private static let threadLimit = 64

  /// The number of bytes that each process had written when that was last asked.
  private var written: [ThreadIdentifier: UInt64] = [:]
  /// The processes that have ended since output was last looked for, by their targets.
  private var ended: [Int: [Writer]] = [:]
  /// The processes that may have written more since then than they count, by their targets.
  private var losers: [Int: [ThreadIdentifier: TargetProcess]] = [:]
  /// The targets of which it is not known what they have written since then.
  private var uncertain: Set<Int> = []

  /// The only process of a target has forked; what it has written so far was read.
  func recordFirstFork(of process: TargetProcess) {
    written[process.identifier] = Self.written(by: process).total
  }

  /// A process has ended; what it has written is about to be read.
  func recordEnd(of process: TargetProcess) {
    written[process.identifier] = nil
    losers[process.target.index]?[process.identifier] = nil
    ended[process.target.index, default: []].append(Writer(process))
  }

  /// A thread has ended before its process, and its count with it.
  func recordEndOfThread(in process: TargetProcess) { recordRemainder(of: process) }

  private func recordRemainder(of process: TargetProcess) {
    losers[process.target.index, default: [:]][process.identifier] = process
  }

  /// There was no output.
  ///
  /// - Parameter isMore: whether the pipes of a target hold some by now.
  func recordSilence(isMore: (_ target: Int) -> Bool) {
    ended = [:]
    for (target, processes) in losers {
      // What the ended threads had written would hide as many bytes of what their processes write from now on.
      for (identifier, process) in processes {
        written[identifier] = Self.written(by: process).total
      }
      if !isMore(target) { losers[target] = nil }
    }
  }

  /// The process that has written so many bytes into the pipes of a target; `nil` if that is not known.
  ///
  /// - Parameters:
  ///   - processes: those of the target that live.
  ///   - isMore: whether the pipes hold more by now.
  func writer(
    of count: Int, target: Int, among processes: [TargetProcess], isMore: () -> Bool
  ) -> Writer? {
    let gone = ended.removeValue(forKey: target) ?? []
    let losers = losers.removeValue(forKey: target) ?? [:]
    var isCertain = uncertain.remove(target) == nil
    guard processes.reduce(0, { $0 + $1.threads.count }) <= Self.threadLimit else {
      uncertain.insert(target)
      return nil
    }
    var writers: [(process: TargetProcess, count: UInt64?)] = []
    for process in processes {
      let (total, isWhole) = Self.written(by: process)
      let before = written.updateValue(total, forKey: process.identifier) ?? 0
      let hasLost = !isWhole || losers[process.identifier] != nil
      if total < before, !hasLost { isCertain = false }
      guard total > before || hasLost else { continue }
      writers.append((process, hasLost ? nil : total - before))
    }
    if isMore() {
      // What was counted and not read would count as written elsewhere the next time.
      if isCertain, gone.isEmpty, writers.count == 1 {
        recordRemainder(of: writers[0].process)
      } else {
        uncertain.insert(target)
      }
    }
    guard isCertain else { return nil }
    guard let only = writers.first else { return gone.count == 1 ? gone.first : nil }
    // How much of it came from whom, nobody knows.
    guard gone.isEmpty || losers.isEmpty else { return nil }
    let isEnough =
      gone.isEmpty ? only.count ?? .max >= count : only.count.map { $0 == count } ?? false
    return writers.count == 1 && isEnough ? Writer(only.process) : nil
  }

  /// The number of bytes that the threads of a process have written, and whether each could be asked: one that has just
  /// ended cannot.
  private static func written(by process: TargetProcess) -> (total: UInt64, isWhole: Bool) {
    var (total, isWhole): (UInt64, Bool) = (0, true)
    for thread in process.threads {
      let path = "/proc/\(process.identifier.number)/task/\(thread.number)/io"
      guard let text = SmallFile.read(path),
        let line = text.split(separator: "\n").first(where: { $0.hasPrefix("wchar: ") }),
        let count = UInt64(line.dropFirst("wchar: ".count))
      else {
        isWhole = false
        continue
      }
      total += count
    }
    return (total, isWhole)
  }
}
