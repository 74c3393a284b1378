import Foundations
import Testing

@testable import Supervisor

/// What a traveller through time relies on, seen by a program that is asked for the time.
@Suite("Time travel")
struct TimeTravelTests {
  private static let flows: [ClockFlow] = [.held, .real]
  private let present = Teller.present
  /// 1955-11-12T06:38:00Z.
  private let dance = WallInstant(seconds: -446_145_720)
  /// 1885-09-05T18:00:00Z.
  private let tower = WallInstant(seconds: -2_660_882_400)
  /// 2045-10-21T00:00:00Z.
  private let premiere = WallInstant(seconds: 2_392_156_800)

  // MARK: - travel

  @Test("Travel goes to the past", arguments: flows)
  func travelToThePast(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    teller.travel(dance)
    try teller.expect(dance)
  }

  @Test("Travel goes to the future", arguments: flows)
  func travelToTheFuture(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    teller.travel(premiere)
    try teller.expect(premiere)
  }

  @Test("The last of several journeys counts", arguments: flows)
  func travelAgain(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    teller.travel(dance)
    teller.travel(tower)
    try teller.expect(tower)
  }

  @Test("The end of a journey's block brings back", arguments: flows)
  func travelBlock(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    try teller.block(.travel(.absolute(dance))) { try teller.expect(dance) }
    try teller.expect(present)
  }

  @Test("Journeys nest, and each end restores the one around it", arguments: flows)
  func travelNests(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    try teller.block(.travel(.absolute(dance))) {
      try teller.expect(dance)
      try teller.block(.travel(.absolute(tower))) { try teller.expect(tower) }
      try teller.expect(dance)
    }
    try teller.expect(present)
  }

  @Test("What is set for good inside a journey's block is dropped at its end", arguments: flows)
  func travelBlockDropsChanges(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    try teller.block(.travel(.absolute(dance))) {
      teller.travel(tower)
      try teller.expect(tower)
    }
    try teller.expect(present)
  }

  @Test("A return inside a journey's block is honoured, and the end is harmless", arguments: flows)
  func travelBlockReturns(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    try teller.block(.travel(.absolute(dance))) {
      teller.goBack()
      try teller.expect(present)
    }
    try teller.expect(present)
  }

  // MARK: - jump

  @Test("A jump goes to the future", arguments: flows)
  func jumpForward(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    teller.jump(600)
    try teller.expect(present + .seconds(600))
  }

  @Test("A jump goes to the past", arguments: flows)
  func jumpBack(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    teller.jump(-600)
    try teller.expect(present + .seconds(-600))
  }

  @Test("A jump starts from where the one before has led", arguments: flows)
  func jumpAgain(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    teller.jump(600)
    teller.jump(300)
    try teller.expect(present + .seconds(900))
  }

  @Test("The end of a jump's block brings back", arguments: flows)
  func jumpBlock(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    try teller.block(.jump(.seconds(600))) {
      try teller.expect(present + .seconds(600))
    }
    try teller.expect(present)
  }

  @Test("Jumps nest and add up, and each end restores the one around it", arguments: flows)
  func jumpNests(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    try teller.block(.jump(.seconds(300))) {
      try teller.expect(present + .seconds(300))
      try teller.block(.jump(.seconds(600))) {
        try teller.expect(present + .seconds(900))
      }
      try teller.expect(present + .seconds(300))
    }
  }

  @Test("What is set for good inside a jump's block is dropped at its end", arguments: flows)
  func jumpBlockDropsChanges(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    try teller.block(.jump(.seconds(300))) {
      teller.jump(600)
      try teller.expect(present + .seconds(900))
    }
    try teller.expect(present)
  }

  @Test("A return inside a jump's block is honoured, and the end is harmless", arguments: flows)
  func jumpBlockReturns(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    try teller.block(.jump(.seconds(600))) {
      teller.goBack()
      try teller.expect(present)
    }
    try teller.expect(present)
  }

  // MARK: - freeze

  @Test("A freeze holds the clocks there, to the nanosecond", arguments: flows)
  func freeze(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    teller.freeze(dance)
    let first = try teller.reading()
    #expect(first.wall == dance)
    #expect(try teller.reading() == first)
  }

  @Test("The last of several freezes counts", arguments: flows)
  func freezeAgain(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    teller.freeze(dance)
    teller.freeze(tower)
    try teller.expectExactly(tower)
  }

  @Test("The end of a freeze's block brings back, and time goes on", arguments: flows)
  func freezeBlock(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    try teller.block(.freeze(.absolute(premiere))) {
      try teller.expectExactly(premiere)
    }
    try teller.expect(present)
    let (first, second) = (try teller.reading(), try teller.reading())
    #expect(flow == .held ? first == second : first.wall < second.wall)
  }

  @Test("Freezes nest, and each end restores the one around it", arguments: flows)
  func freezeNests(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    try teller.block(.freeze(.absolute(premiere))) {
      try teller.block(.freeze(.absolute(dance))) {
        try teller.expectExactly(dance)
      }
      let (first, second) = (try teller.reading(), try teller.reading())
      #expect(first == second)
      try teller.expect(premiere)
    }
  }

  @Test("What is set for good inside a freeze's block is dropped at its end", arguments: flows)
  func freezeBlockDropsChanges(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    try teller.block(.freeze(.absolute(premiere))) {
      teller.freeze(tower)
      try teller.expectExactly(tower)
    }
    try teller.expect(present)
  }

  @Test("A return inside a freeze's block is honoured, and the end is harmless", arguments: flows)
  func freezeBlockReturns(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    try teller.block(.freeze(.absolute(dance))) {
      teller.goBack()
      try teller.expect(present)
    }
    try teller.expect(present)
  }

  // MARK: - return

  @Test("A return from the present stays there", arguments: flows)
  func returnFromThePresent(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    teller.goBack()
    try teller.expect(present)
  }

  @Test("A return from elsewhere leads to the present", arguments: flows)
  func returnFromElsewhere(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    teller.travel(dance)
    teller.goBack()
    try teller.expect(present)
  }

  @Test("A return leads all the way, past several journeys", arguments: flows)
  func returnFromFarAway(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    teller.travel(dance)
    teller.travel(tower)
    teller.goBack()
    try teller.expect(present)
  }

  // MARK: - Together

  @Test("A jump inside a freeze ends the freeze, and starts from where it stood")
  func jumpThaws() throws {
    let teller = try Teller(.real)
    teller.freeze(dance)
    teller.jump(600)
    let (first, second) = (try teller.reading(), try teller.reading())
    #expect(first.wall >= dance + .seconds(600))
    #expect(first.wall < second.wall)
  }

  @Test("A return inside blocks forgets what stood before all of them", arguments: flows)
  func returnEmptiesTheStack(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    teller.travel(tower)
    try teller.block(.travel(.absolute(dance))) {
      try teller.block(.freeze(nil)) {
        teller.goBack()
        teller.jump(600)
        try teller.expect(present + .seconds(600))
      }
      try teller.expect(present)
    }
    try teller.expect(present)
  }

  @Test("A block whose body fails is ended all the same", arguments: flows)
  func failedBlock(flow: ClockFlow) throws {
    struct Trouble: Error {}
    let teller = try Teller(flow)
    #expect(throws: Trouble.self) {
      try teller.block(.travel(.absolute(dance))) { throw Trouble() }
    }
    try teller.expect(present)
  }

  @Test("Whatever the wall clock does, the monotonic clock never goes back", arguments: flows)
  func monotonicNeverGoesBack(flow: ClockFlow) throws {
    let teller = try Teller(flow)
    var latest = try teller.reading().monotonic
    for change: ClockChange in [
      .travel(.absolute(premiere)), .travel(.absolute(tower)), .jump(.seconds(-1)), .freeze(nil),
      .suspend(.seconds(60)), .returnToPresent,
    ] {
      teller.change(change)
      let monotonic = try teller.reading().monotonic
      #expect(monotonic >= latest, "after \(change)")
      latest = monotonic
    }
  }

  @Test("A journey longer than nanoseconds can count is restored to the second")
  func farJourney() throws {
    let teller = try Teller(.held)
    let past = WallInstant(seconds: -9_000_000_000)
    try teller.block(.travel(.absolute(past))) {
      try teller.block(.travel(.absolute(dance))) {}
      try teller.expect(past)
    }
    try teller.expect(present)
  }

  @Test("A step to where clocks cannot go is refused, and nothing happens")
  func refusesFarAway() throws {
    let teller = try Teller(.held)
    teller.travel(WallInstant(seconds: 9_223_372_000))
    #expect(!teller.program.supervisor.change(.jump(.seconds(60))))
    try teller.expect(WallInstant(seconds: 9_223_372_000))
  }
}
