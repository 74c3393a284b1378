/// The TCP sockets of a network namespace (proc(5): /proc/PID/net/tcp and tcp6).
struct ConnectionTable {
  struct Entry {
    var local: Substring
    var remote: Substring
    var inode: UInt64
  }

  private var connections: [Entry] = []
  private(set) var listeners: [Entry] = []

  /// Reads the text of one or of both files.
  init(text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 9, let inode = UInt64(words[9]), words[3].count == 2 else { continue }
      let entry = Entry(
        local: Self.unmapped(words[1]), remote: Self.unmapped(words[2]), inode: inode)
      if words[3] == "0A" { listeners.append(entry) } else { connections.append(entry) }
    }
  }

  /// Returns the sockets that hold the other side of a connection: one, as a rule; where the
  /// connection is not accepted yet, those that listen for it; none if the other side is not of
  /// this machine.
  func peers(of socket: UInt64) -> [UInt64] {
    guard let own = connections.first(where: { $0.inode == socket }),
      let peer = connections.first(where: {
        $0.local == own.remote && $0.remote == own.local && $0.inode != socket
      })
    else { return [] }
    guard peer.inode == 0 else { return [peer.inode] }
    let port = peer.local.split(separator: ":").last
    return listeners.filter { listener in
      let parts = listener.local.split(separator: ":")
      return parts.last == port
        && (listener.local == peer.local || parts.first?.allSatisfy { $0 == "0" } ?? false)
    }.map(\.inode)
  }

  /// An IPv4 address of an IPv6 socket as IPv4 sockets have it; both are written in the machine's own order.
  private static func unmapped(_ address: Substring) -> Substring {
    let prefix = "0000000000000000FFFF0000"
    return address.hasPrefix(prefix) ? address.dropFirst(prefix.count) : address
  }
}
