internal import FoundationEssentials
package import ScenarioEvents

/// The events of a stream that comes in pieces.
package struct EventLines {
  private let decoder = JSONDecoder()
  private var rest: [UInt8] = []

  /// Creates the state before the first piece.
  package init() {}

  /// Takes a piece, and returns the events whose lines it completes; a line that is no event is passed over.
  package mutating func take(_ piece: some Collection<UInt8>) -> [Event] {
    rest += piece
    guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    let lines = rest[..<end].split(separator: UInt8(ascii: "\n"))
    defer { rest.removeSubrange(...end) }
    return lines.compactMap { try? decoder.decode(Event.self, from: Data($0)) }
  }
}
