// The Swift probe: makes the waits that it is asked for, one after the other, and tells how long each took.
//
//   waits NAME=MILLISECONDS...
//
// One line for each, as the C probe writes them; a wait that ended otherwise is told as `NAME failed`.

import Dispatch
import Foundation

/// A wait that says whether it ended as one does whose time has run out.
typealias Wait = @Sendable (_ milliseconds: Int) async -> Bool

func seconds(_ milliseconds: Int) -> TimeInterval { TimeInterval(milliseconds) / 1000 }

/// A deadline by Dispatch's clock, or by the wall clock.
func deadline(_ milliseconds: Int) -> DispatchTime { .now() + .milliseconds(milliseconds) }
func wallDeadline(_ milliseconds: Int) -> DispatchWallTime { .now() + .milliseconds(milliseconds) }

/// Does work that blocks on a thread of its own.
func onThread(_ body: @escaping @Sendable () -> Bool) async -> Bool {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}

func blocking(_ body: @escaping @Sendable (Int) -> Bool) -> Wait {
  { milliseconds in await onThread { body(milliseconds) } }
}

let waits: [String: Wait] = [
  "Thread.sleep(forTimeInterval:)": blocking {
    Thread.sleep(forTimeInterval: seconds($0))
    return true
  },
  "Thread.sleep(until:)": blocking {
    Thread.sleep(until: Date(timeIntervalSinceNow: seconds($0)))
    return true
  },
  "usleep": blocking { usleep(UInt32($0) * 1000) == 0 },
  "NSCondition.wait(until:)": blocking {
    let condition = NSCondition()
    condition.lock()
    defer { condition.unlock() }
    return !condition.wait(until: Date(timeIntervalSinceNow: seconds($0)))
  },
  "NSConditionLock.lock(whenCondition:before:)": blocking {
    NSConditionLock(condition: 0)
      .lock(whenCondition: 1, before: Date(timeIntervalSinceNow: seconds($0))) == false
  },
  "NSLock.lock(before:)": blocking {
    let lock = NSLock()
    lock.lock()
    defer { lock.unlock() }
    return !lock.lock(before: Date(timeIntervalSinceNow: seconds($0)))
  },
  "DispatchSemaphore.wait(timeout:)": blocking {
    DispatchSemaphore(value: 0).wait(timeout: deadline($0)) == .timedOut
  },
  "DispatchSemaphore.wait(wallTimeout:)": blocking {
    DispatchSemaphore(value: 0).wait(wallTimeout: wallDeadline($0)) == .timedOut
  },
  "DispatchGroup.wait(timeout:)": blocking {
    let group = DispatchGroup()
    group.enter()
    defer { group.leave() }
    return group.wait(timeout: deadline($0)) == .timedOut
  },
  "DispatchWorkItem.wait(timeout:)": blocking {
    let item = DispatchWorkItem {}
    let hasRunOut = item.wait(timeout: deadline($0)) == .timedOut
    item.perform()
    return hasRunOut
  },
  "RunLoop.run(until:)": blocking {
    // A run loop with nothing to wait for returns at once.
    let timer = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
    RunLoop.current.add(timer, forMode: .default)
    RunLoop.current.run(until: Date(timeIntervalSinceNow: seconds($0)))
    timer.invalidate()
    return true
  },
  "Timer": blocking {
    nonisolated(unsafe) var hasFired = false
    // Made without a date, a timer of this Foundation is due at once.
    let timer = Timer(fire: Date(timeIntervalSinceNow: seconds($0)), interval: 0, repeats: false) {
      _ in hasFired = true
    }
    RunLoop.current.add(timer, forMode: .default)
    while !hasFired, RunLoop.current.run(mode: .default, before: .distantFuture) {}
    return hasFired
  },
  "Task.sleep(nanoseconds:)": { milliseconds in
    (try? await Task.sleep(nanoseconds: UInt64(milliseconds) * 1_000_000)) != nil
  },
  "Task.sleep(for:)": { milliseconds in
    (try? await Task.sleep(for: .milliseconds(milliseconds))) != nil
  },
  "ContinuousClock.sleep(until:)": { milliseconds in
    let clock = ContinuousClock()
    return (try? await clock.sleep(until: clock.now + .milliseconds(milliseconds))) != nil
  },
  "SuspendingClock.sleep(until:)": { milliseconds in
    let clock = SuspendingClock()
    return (try? await clock.sleep(until: clock.now + .milliseconds(milliseconds))) != nil
  },
  "TaskGroup": { milliseconds in
    await withTaskGroup(of: Int.self) { group in
      for share in 1...4 {
        group.addTask {
          try? await Task.sleep(for: .milliseconds(milliseconds * share / 4))
          return share
        }
      }
      var order: [Int] = []
      for await share in group { order.append(share) }
      return order == [1, 2, 3, 4]
    }
  },
  "DispatchQueue.asyncAfter(deadline:)": { milliseconds in
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: deadline(milliseconds)) {
        continuation.resume(returning: true)
      }
    }
  },
  "DispatchQueue.asyncAfter(wallDeadline:)": { milliseconds in
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(wallDeadline: wallDeadline(milliseconds)) {
        continuation.resume(returning: true)
      }
    }
  },
  // Four ticks of a quarter each.
  "DispatchSourceTimer": { milliseconds in
    let timer = DispatchSource.makeTimerSource()
    let period = DispatchTimeInterval.milliseconds(milliseconds / 4)
    timer.schedule(deadline: .now() + period, repeating: period, leeway: .nanoseconds(0))
    return await withCheckedContinuation { continuation in
      nonisolated(unsafe) var count = 0
      timer.setEventHandler {
        count += 1
        guard count == 4 else { return }
        timer.cancel()
        continuation.resume(returning: true)
      }
      timer.resume()
    }
  },
  "Process.waitUntilExit": blocking { milliseconds in
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sleep")
    process.arguments = ["\(seconds(milliseconds))"]
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  },
]

func nanoseconds(_ clock: clockid_t) -> Int64 {
  var value = timespec()
  clock_gettime(clock, &value)
  return Int64(value.tv_sec) * 1_000_000_000 + Int64(value.tv_nsec)
}

func milliseconds(_ nanoseconds: Int64) -> String {
  let rest = nanoseconds % 1_000_000
  let fraction = String(rest + 1_000_000).dropFirst()
  return "\(nanoseconds / 1_000_000)" + (rest == 0 ? "" : ".\(fraction)")
}

for word in CommandLine.arguments.dropFirst() {
  let parts = word.split(separator: "=")
  guard parts.count == 2, let wait = waits[String(parts[0])], let length = Int(parts[1]) else {
    FileHandle.standardError.write(Data("waits: there is no wait \"\(word)\"\n".utf8))
    exit(2)
  }
  let start = (nanoseconds(CLOCK_MONOTONIC), nanoseconds(CLOCK_REALTIME))
  let hasRunOut = await wait(length)
  let elapsed = nanoseconds(CLOCK_MONOTONIC) - start.0
  let wall = nanoseconds(CLOCK_REALTIME) - start.1
  var line = "\(parts[0])"
  line += hasRunOut ? " elapsed_ms=\(milliseconds(elapsed))" : " failed"
  if hasRunOut, wall != elapsed { line += " wall_ms=\(milliseconds(wall))" }
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
exit(0)
