import Testing

@testable import ScenarioRunner

@Suite("What this process may still have")
struct RunnerLimitsTests {
  private func limits(_ change: (inout RunnerLimits) -> Void) -> RunnerLimits {
    var limits = RunnerLimits()
    change(&limits)
    return limits
  }

  @Test("Without limits anything can be run")
  func none() {
    #expect(RunnerLimits().shortage == nil)
    #expect(RunnerLimits().readingShortage == nil)
    #expect(RunnerLimits().jobs(512).count == 512)
    #expect(RunnerLimits().jobs(512).reason == nil)
  }

  @Test("What is too small is named with what it takes and how it is raised")
  func shortages() {
    #expect(
      limits { $0.descriptors = 12 }.shortage
        == .init(
          message: "this process may have 12 open files, but a run needs 64",
          help: "raise it: ulimit -n 1024"))
    #expect(limits { $0.descriptors = 64 }.shortage == nil)
    #expect(limits { $0.descriptors = 12 }.readingShortage == nil)
    #expect(
      limits { $0.addressSpace = 100 << 20 }.shortage
        == .init(
          message: "this process may have 100 MiB more of address space, but a run needs 256 MiB",
          help: "raise it: ulimit -v unlimited"))
    #expect(limits { $0.addressSpace = 100 << 20 }.readingShortage == nil)
    #expect(limits { $0.addressSpace = 10 << 20 }.readingShortage != nil)
    #expect(limits { $0.addressSpace = 256 << 20 }.shortage == nil)
    #expect(limits { $0.data = 1 }.shortage?.help == "raise it: ulimit -d unlimited")
    #expect(
      limits { $0.stack = 64 << 10 }.readingShortage
        == .init(
          message: "this process may have a stack of 64 KiB, but needs 1024 KiB",
          help: "raise it: ulimit -s 8192"))
    #expect(limits { $0.threads = 4 }.shortage?.help.hasPrefix("raise it: ulimit -u") ?? false)
  }

  @Test("As many cases run at once as there is room for, and one at least")
  func jobs() {
    let few = limits { $0.descriptors = 127 }.jobs(8)
    #expect(few.count == 2)
    #expect(
      few.reason
        == .init(message: "this process may have 127 open files", help: "raise it: ulimit -n 1024"))
    #expect(limits { $0.descriptors = 64 }.jobs(1).reason == nil)
    #expect(limits { $0.descriptors = 1_024 }.jobs(31).count == 31)
    #expect(limits { $0.descriptors = 1_024 }.jobs(100).reason?.help == "raise it: ulimit -n 3232")
    #expect(limits { $0.threads = 16 }.jobs(8).count == 2)
    #expect(limits { $0.threads = 1 }.jobs(8).count == 1)
    #expect(limits { $0.addressSpace = 320 << 20 }.jobs(8).count == 2)
  }
}
