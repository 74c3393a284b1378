internal import Foundations
internal import ScenarioModel

/// One reply that a request took.
struct ReplyUse: Sendable {
  /// The reply's place in the queue, from 1.
  var number: Int
  var status: Int
  var fault: ReplyFault?
  var method: String
  var url: String
  var time: Nanoseconds
  var origin: ClientOrigin?

  /// The use as a line of a report.
  var line: String {
    let sender = origin.map { ", by \($0.text)" } ?? ""
    let what = fault.map { $0.sendsReply ? "\(status), \($0.text)" : $0.text } ?? "\(status)"
    return "reply \(number) (\(what)) went to \(method) \(url) at +\(time)\(sender)"
  }
}

/// The uses of one stub's replies: the first ones, and their number.
struct EntryUses: Sendable {
  /// The maximum number of uses that are kept.
  private static let limit = 20

  private(set) var count = 0
  private var first: [ReplyUse] = []

  /// The number of replies that were taken.
  mutating func add(_ use: @autoclosure () -> ReplyUse) {
    if first.count < Self.limit { first.append(use()) }
    count += 1
  }

  /// The uses as lines of a report.
  var lines: [String] {
    let hidden = count - first.count
    return first.map(\.line) + (hidden > 0 ? ["… and \(hidden) more"] : [])
  }
}
