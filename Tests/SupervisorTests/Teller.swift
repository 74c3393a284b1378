import Foundations
import Glibc
import Testing

@testable import Supervisor

/// A program that tells the time when asked, and the clocks that it is under: for tests that travel.
final class Teller {
  /// What the program's clocks show.
  struct Reading: Equatable {
    var wall: WallInstant
    var monotonic: WallInstant
    var boot: WallInstant
  }

  let program: SupervisedProgram
  /// How much later than asked for a reading may be: where time flows, it takes a while to answer.
  private let tolerance: Nanoseconds

  init(_ flow: ClockFlow) throws {
    program = try SupervisedProgram(clock: .from2030(flow))
    tolerance = flow.rate == nil ? Nanoseconds(1) : .seconds(60)
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    let path = "\(root)/.build/programs/teller"
    try #require(
      access(path, X_OK) == 0, "\(path) is missing: run Tests/Programs/build.sh .build/programs")
    try program.start([path], input: .open)
  }

  /// The present where nothing has moved it.
  static let present = WallInstant(seconds: 1_893_456_000)

  /// Asks the program.
  func reading() throws -> Reading {
    let before = program.output.utf8.count
    try #require(program.supervisor.send(Array("tell\n".utf8)))
    let deadline = program.deadline
    var text = ""
    repeat {
      let result = program.supervisor.awaitOutput(
        .output, beyond: before + text.utf8.count, deadline: deadline)
      try #require(result.hasHappened)
      text = String(decoding: Array(program.output.utf8.dropFirst(before)), as: UTF8.self)
    } while !text.hasSuffix("\n")
    let values = try text.dropLast().split(separator: " ").map { word in
      // A timespec before the epoch has negative seconds, and nanoseconds on top of them.
      let numbers = word.drop { $0 != "=" }.dropFirst().split(separator: ".")
      let seconds = try #require(numbers.first.flatMap { Int64($0) })
      return WallInstant(
        seconds: seconds, nanoseconds: try #require(numbers.last.flatMap { Int64($0) }))
    }
    try #require(values.count == 3)
    return Reading(wall: values[0], monotonic: values[1], boot: values[2])
  }

  /// Expects the program's wall clock to show `instant`, or where time flows a little more.
  func expect(_ instant: WallInstant, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let wall = try reading().wall
    #expect(wall >= instant, sourceLocation: sourceLocation)
    #expect(wall - instant < tolerance, sourceLocation: sourceLocation)
  }

  /// Expects the program's wall clock to show `instant` and nothing more.
  func expectExactly(
    _ instant: WallInstant, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let wall = try reading().wall
    #expect(wall == instant, sourceLocation: sourceLocation)
  }

  func change(_ change: ClockChange) {
    #expect(program.supervisor.change(change))
  }

  func travel(_ instant: WallInstant) { change(.travel(.absolute(instant))) }
  func jump(_ seconds: Int64) { change(.jump(.seconds(seconds))) }
  func freeze(_ instant: WallInstant?) { change(.freeze(instant.map { .absolute($0) })) }
  func goBack() { change(.returnToPresent) }

  /// A block as the runner makes it of a step, ended also when something in it fails.
  func block(_ change: ClockChange, _ body: () throws -> Void) throws {
    self.change(.beginBlock)
    defer { self.change(.endBlock) }
    self.change(change)
    try body()
  }
}
