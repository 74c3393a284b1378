import Testing

@testable import ScenarioRunner

@Suite("The time zone that a target asks for")
struct TimeZoneVariableTests {
  private let zones = ["America/New_York", "EST", "Etc/GMT+5", "Europe/Berlin", "UTC"]

  private func warning(_ value: String) -> String? {
    TimeZoneVariable(value)?.warning(knowing: zones)
  }

  @Test(
    "What the machine has, rules, paths and nothing are no mistakes",
    arguments: [
      "", ":", "UTC", "EST", ":Europe/Berlin", "Etc/GMT+5", "/etc/passwd", ":/etc/passwd", "UTC0",
      "EST5EDT",
      "<+03>-3", "CET-1CEST,M3.5.0,M10.5.0/3", "./x y",
    ])
  func right(value: String) {
    #expect(warning(value) == nil)
  }

  @Test(
    "A name that the machine does not have is asked about",
    arguments: [
      ("Europe/Berlim", "did you mean \"Europe/Berlin\"?"),
      ("europe/berlin", "did you mean \"Europe/Berlin\"?"),
      ("Berlin", "did you mean \"Europe/Berlin\"?"),
      (":New_York", "did you mean \"America/New_York\"?"),
      ("Europe/Berlin ", "did you mean \"Europe/Berlin\"?"),
      (" UTC", "did you mean \"UTC\"?"),
      ("/usr/share/zoneinfo/Europe/Berln", "did you mean \"Europe/Berlin\"?"),
      (":/etc/nope", "write a name such as Europe/Berlin"),
      ("/usr/share/zoneinfo", "write a name such as Europe/Berlin"),
      ("PST", "write a name such as Europe/Berlin"),
    ])
  func wrong(value: String, help: String) {
    let name = value.hasPrefix(":") ? String(value.dropFirst()) : value
    #expect(
      warning(value)
        == "TZ is \"\(name)\", which is not a time zone of this machine, so most programs use UTC; \(help)"
    )
  }

  @Test("A machine without any zone says nothing of one that is missing")
  func noZones() {
    #expect(TimeZoneVariable("Europe/Berlim")?.warning(knowing: []) == nil)
    #expect(TimeZoneVariable("/etc/nope")?.warning(knowing: []) != nil)
  }
}
