internal import Foundations
internal import ScenarioModel

/// The lookups that are going on: which questions are one.
///
/// A program that looks a name up asks for both kinds of addresses, over one socket or two, and a resolver
/// may ask for them again by another way. Questions of different processes, and of different threads that
/// ask at one time, are different lookups, and so is a question that the same one asks again.
struct OpenLookups: Sendable {
  private struct Key: Hashable {
    var process: Int
    var name: String
  }

  private struct Lookup {
    var begin: Nanoseconds
    var round: Int?
    var thread: Int
    var sockets: Set<UInt64>
    var types: Set<UInt16>
    /// The record types that were queried again, over another socket.
    var repeatedTypes: Set<UInt16> = []
    /// The record types that were queried over TCP, because a datagram was truncated.
    var streamedTypes: Set<UInt16> = []
    var isRetriedOverStream: Bool
    var answer: LinkFault.NameAnswer?

    /// True if the name has no address of the queried types; no name has an IPv6 address.
    var hasNoAddress: Bool {
      switch answer {
      case .fault(.nxdomain)?, .fault(.nodata)?: true
      case .addresses?, nil: !types.contains(DNSQuestion.RecordType.address)
      case .fault?: false
      }
    }
  }

  /// The longest time between queries of one lookup.
  private static let length = Nanoseconds.milliseconds(200)
  /// The maximum number of names that are remembered at once.
  private static let limit = 256

  private var lookups: [Key: [Lookup]] = [:]

  /// The answer of the lookup that a question belongs to, `.some(nil)` for none of chaos'; `nil` if the
  /// question begins another one.
  ///
  /// - Parameter round: the same for all queries that came before any of them was answered; `nil` where that
  ///   is not known.
  mutating func join(
    _ question: DNSQuery, at time: Nanoseconds, round: Int?
  ) -> LinkFault.NameAnswer?? {
    let key = Self.key(of: question)
    guard var open = lookups[key] else { return nil }
    open.removeAll { time - $0.begin >= Self.length }
    defer { lookups[key] = open.isEmpty ? nil : open }
    guard let index = Self.place(of: question, among: open, round: round) else { return nil }
    let socket = question.client?.socket ?? 0
    if open[index].types.insert(question.type).inserted {
      open[index].sockets.insert(socket)
    } else if question.isStream, open[index].isRetriedOverStream {
      open[index].streamedTypes.insert(question.type)
    } else {
      open[index].repeatedTypes.insert(question.type)
    }
    return .some(open[index].answer)
  }

  /// A question has begun a lookup, which has this answer.
  mutating func begin(
    with question: DNSQuery, at time: Nanoseconds, round: Int?, answer: LinkFault.NameAnswer?
  ) {
    if lookups.count >= Self.limit {
      lookups = lookups.filter { $0.value.contains { time - $0.begin < Self.length } }
      if lookups.count >= Self.limit { lookups.removeAll() }
    }
    lookups[Self.key(of: question), default: []].append(
      Lookup(
        begin: time, round: round, thread: question.client?.threadOrdinal ?? 0,
        sockets: [question.client?.socket ?? 0], types: [question.type],
        isRetriedOverStream: !question.isStream, answer: answer))
  }

  private static func key(of question: DNSQuery) -> Key {
    Key(process: question.client?.processOrdinal ?? 0, name: question.name)
  }

  /// Returns the index of the open lookup of a process and a name that a query belongs to.
  private static func place(
    of question: DNSQuery, among open: [Lookup], round: Int?
  ) -> Int? {
    let socket = question.client?.socket ?? 0
    let thread = question.client?.threadOrdinal ?? 0
    let type = question.type
    if question.isStream {
      // The answer before was cut: the client asks again over TCP.
      let cut = open.indices.filter { index in
        open[index].isRetriedOverStream && open[index].answer == .fault(.truncated)
          && open[index].types.contains(type) && !open[index].streamedTypes.contains(type)
      }
      if let own = cut.first(where: { open[$0].thread == thread }) ?? cut.first { return own }
    }
    let other = open.firstIndex { $0.sockets.contains(socket) && !$0.types.contains(type) }
    if let other { return other }
    guard question.searchesRoot else {
      // Go has a socket for each kind, and asks for both before it waits for an answer. Others ask for one kind behind
      // the other, over a socket each.
      return open.firstIndex { lookup in
        (lookup.round == round || question.client != nil && lookup.thread == thread)
          && !lookup.types.contains(type) && !lookup.sockets.contains(socket)
      }
    }
    guard let last = open.lastIndex(where: { $0.thread == thread }) else { return nil }
    // gethostbyname2(3) asks for one kind, and its callers for the other one behind it.
    guard open[last].types.contains(type) else { return last }
    // glibc closes its socket before it asks once more.
    guard question.name.contains("."), open[last].hasNoAddress,
      question.client == nil || !open[last].sockets.contains(socket),
      !open[last].repeatedTypes.contains(type)
    else { return nil }
    return last
  }
}
