import Foundations
import Testing

@testable import Supervisor

@Suite("The runner's clock stands while the runner does")
struct RunningTimeTests {
  private func ms(_ count: Int64) -> Nanoseconds { .milliseconds(count) }

  @Test("A stop between two readings is left out, but for the time to the next reading")
  func stop() {
    var time = RunningTime()
    time.begin(at: .seconds(100))

    #expect(time.reading(at: .seconds(100) + ms(100)) == .seconds(100) + ms(100))
    #expect(time.reading(at: .seconds(115) + ms(100)) == .seconds(100) + ms(200))
    #expect(time.reading(at: .seconds(115) + ms(200)) == .seconds(100) + ms(300))
  }

  @Test("Several stops add up, and readings never go back")
  func stops() {
    var time = RunningTime()
    time.begin(at: .zero)
    var real = Nanoseconds.zero
    var last = Nanoseconds.zero
    for _ in 0..<50 {
      for gap in [ms(1), ms(100), .seconds(3_600), ms(501)] {
        real = real + gap
        let reading = time.reading(at: real)
        #expect(reading > last)
        last = reading
      }
    }

    #expect(last == ms(50 * 301))
  }

  @Test("A thread that waits long for a processor of a busy machine has not been stopped")
  func load() {
    var time = RunningTime()
    time.begin(at: .zero)

    #expect(time.reading(at: ms(500)) == ms(500))
    #expect(time.reading(at: ms(1_000)) == ms(1_000))
    #expect(time.reading(at: ms(1_501)) == ms(1_100))
  }

  @Test("As long as nobody reads it regularly, a long time without a reading is no stop")
  func irregular() {
    var time = RunningTime()

    #expect(time.reading(at: .seconds(1)) == .seconds(1))
    #expect(time.reading(at: .seconds(3_600)) == .seconds(3_600))
    time.begin(at: .seconds(3_600))
    #expect(time.reading(at: .seconds(7_200)) == .seconds(3_600) + ms(100))
    time.end()
    #expect(time.reading(at: .seconds(10_800)) == .seconds(7_200) + ms(100))
  }
}
