internal import Foundations
internal import Patterns
package import ScenarioModel

extension PlannedChaos {
  /// The entry on one line.
  package var summary: String {
    var parts = ["\(name): \(target.summary)"]
    parts += conditions.summary
    parts += schedule.summary
    if !isApplied { parts.append("not applied") }
    parts.append(provider.summary)
    return parts.joined(separator: "; ")
  }
}

extension PlannedFaultTarget {
  /// The target, in words.
  var summary: String {
    switch self {
    case .calls(let calls, let functions):
      (calls.map(\.name) + [functions?.summary].compactMap(\.self)).joined(separator: ", ")
    case .functions(let functions): functions.summary
    case .link(let link): link.summary
    case .disk(let disk, _): disk.summary
    case .processes(let processes): "process \(processes.summary)"
    }
  }
}

extension ChaosSchedule {
  /// The conditions in words.
  var summary: [String] {
    var parts: [String] = []
    if let from { parts.append("from \(from.text)") }
    if let until { parts.append("until \(until.text)") }
    if let during { parts.append("during \"\(during)\"") }
    if let event { parts.append("behind reply \(event.number) of \"\(event.reply)\"") }
    if after > 0 { parts.append("after \(after)") }
    if let every { parts.append("every \(every)") }
    if !places.isEmpty { parts.append("nth \(places.map(String.init).joined(separator: ", "))") }
    if let probability { parts.append("probability \(probability)") }
    if let times {
      parts.append(times == 1 ? "once" : "\(times) times")
    } else if parts.isEmpty {
      parts.append("always")
    }
    return parts
  }
}

extension PlannedProvider {
  /// The action, in words.
  var summary: String {
    switch self {
    case .original: "is made"
    case .result(let result): "returns \(result)"
    case .failure(let result, let error): "returns \(result) with \(error.name)"
    case .fraction(let number): "returns \(number)"
    case .text(let text): "returns \"\(text)\""
    case .error(let error): "fails with \(error.name)"
    case .compute(let computation): "is computed: \(computation.summary)"
    case .execute(let command, let isAfter):
      "asks \(command.first ?? "")" + (isAfter ? " after it" : "")
    case .randomNumber(let lower, let upper): "returns a number from \(lower) to \(upper)"
    case .randomError(let lists), .randomDocumented(let lists):
      "fails with one of "
        + Set(lists.values.joined().map(\.name)).sorted().joined(separator: ", ")
    case .signal(let number, let isAfter, let then):
      "gets \(SignalName.name(of: number)) \(isAfter ? "after it" : "before it") \(then.summary)"
    case .exit(let code): "ends the process with \(code)"
    case .kill(let scope): "kills the \(scope.rawValue)"
    case .sequence(let providers):
      "in turn " + providers.map(\.summary).joined(separator: ", then ")
    case .match(let branches, let otherwise):
      (branches.map {
        "\($0.provider.summary) where \($0.conditions.summary.joined(separator: " and "))"
      } + ["else \(otherwise.summary)"]).joined(separator: ", ")
    case .delay(let shortest, let longest, let then):
      (shortest == longest ? "after \(shortest) " : "after \(shortest) to \(longest) ")
        + then.summary
    case .hang: "hangs"
    case .short(.bytes(let count)): "transfers \(count) bytes at most"
    case .short(.fraction(let part)): "transfers \(part) of its bytes"
    case .corrupt(let corruption): "is corrupted: \(corruption.summary)"
    case .lie: "lies"
    case .link(let faults): "has " + faults.map(\.text).joined(separator: ", ")
    case .disk(.full): "is full"
    case .disk(.free(let bytes)): "has \(bytes) bytes free"
    case .disk(.quota(let bytes)): "has a quota of \(bytes) bytes"
    case .disk(.readOnly): "is read-only"
    case .crash(let crash):
      "kills the \(crash.scope.rawValue) and loses what is unsynced of "
        + crash.files.map(\.text).joined(separator: ", ")
    case .stop(let length): "stands still for \(length)"
    case .restart(let delay): "is killed and started again after \(delay)"
    }
  }
}

extension InstantExpression {
  /// The instant about as it was written.
  fileprivate var text: String {
    switch self {
    case .absolute(let instant): instant.description
    case .shift(let length): "+\(length)"
    case .day(let day, at: let time): "\(day) \(time)"
    }
  }
}

extension ChaosSelection {
  /// The selection as an author writes it.
  package var text: String {
    switch self {
    case .all: "all"
    case .entry(let name): name
    }
  }
}
