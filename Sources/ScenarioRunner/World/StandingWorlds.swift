internal import Foundations
internal import Glibc
internal import Supervisor

/// The paused environments of this machine, as processes other than their runner see them.
package enum StandingWorlds {
  /// A paused environment.
  package struct Found: Sendable {
    /// Its socket.
    package var path: String
    /// The case whose environment it is.
    package var identifier: String
    /// The place in its file at which it is paused, and the reason.
    package var place: String

    /// Describes one.
    package init(path: String, identifier: String, place: String) {
      self.path = path
      self.identifier = identifier
      self.place = place
    }
  }

  /// Returns those whose runners have their folders in this one.
  package static func find(in folder: String) -> [Found] {
    var found: [Found] = []
    for entry in FileTree.entries(of: folder)
    where AbandonedFolders.prefixes.contains(where: { entry.name.hasPrefix($0) }) {
      for socket in FileTree.entries(of: "\(folder)/\(entry.name)")
      where socket.name.hasPrefix("pause-") {
        let path = "\(folder)/\(entry.name)/\(socket.name)"
        guard let answer = ask("identify", at: path) else { continue }
        let lines = answer.split(separator: "\n", maxSplits: 1).map(String.init)
        found.append(
          Found(path: path, identifier: lines.first ?? "", place: lines.dropFirst().first ?? ""))
      }
    }
    return found.sorted { $0.path < $1.path }
  }

  /// Sends a request that is answered at once to an environment; `nil` if no process listens.
  package static func ask(_ request: String, at path: String) -> String? {
    let socket = LocalSocket.connect(to: path, SOCK_SEQPACKET)
    guard socket >= 0 else { return nil }
    defer { close(socket) }
    guard DescriptorMessages.send(Array(request.utf8) + [0], to: socket) == 0,
      let answer = DescriptorMessages.receive(from: socket)
    else { return nil }
    return String(decoding: answer.bytes, as: UTF8.self)
  }
}

/// A program that another process runs in a paused environment.
package final class WorldVisit: Sendable {
  /// The outcome of starting the program.
  package enum Beginning: Sendable {
    /// The program runs.
    case started
    /// The program does not run, for this reason.
    case refused(String)
  }

  /// The outcome of starting the program.
  package let beginning: Beginning
  /// The connection on which its end is reported.
  package let connection: Int32

  /// Runs a program in a paused environment; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - path: the environment's socket.
  ///   - words: program and arguments; a shell if there are none.
  ///   - terminal: the kind of terminal that the streams are; `nil` if they are none.
  ///   - streams: its standard input, output and error, which stay the caller's.
  package init?(at path: String, words: [String], terminal: String?, streams: [Int32]) {
    connection = LocalSocket.connect(to: path, SOCK_SEQPACKET)
    guard connection >= 0 else { return nil }
    let request: [UInt8] = (["enter", terminal ?? ""] + words).flatMap { [UInt8]($0.utf8) + [0] }
    guard DescriptorMessages.send(request, streams, to: connection) == 0,
      let answer = DescriptorMessages.receive(from: connection)
    else {
      close(connection)
      return nil
    }
    let text = String(decoding: answer.bytes, as: UTF8.self)
    beginning =
      text.hasPrefix("refused ") ? .refused(String(text.dropFirst("refused ".count))) : .started
  }

  deinit { close(connection) }

  /// Waits for the program's end; returns its exit code, or that of a program ended by SIGKILL
  /// where the environment was resumed.
  package func awaitEnd() -> Int32 {
    guard let answer = DescriptorMessages.receive(from: connection) else { return 128 + SIGKILL }
    let text = String(decoding: answer.bytes, as: UTF8.self)
    guard text.hasPrefix("ended ") else { return 128 + SIGKILL }
    return Int32(text.dropFirst("ended ".count)) ?? 1
  }
}
