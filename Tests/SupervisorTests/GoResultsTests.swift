import Foundations
import Glibc
import Testing

@testable import FaultEngine
@testable import Supervisor

@Suite("The results of functions of Go")
struct GoResultsTests {

  private static func information() throws -> DebugInformation {
    let descriptor = open(try CompiledProgram.path("results"), O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let reader = try #require(ELFReader(descriptor: descriptor))
    return try #require(DebugInformation(reader))
  }

  @Test("The first result of a function is the one that its program's debugging information names")
  func first() throws {
    let names: Set<String> = [
      "main.Two", "main.Half", "main.Single", "main.Fail", "main.Words", "main.Table", "main.main",
      "main.(*Store).Save", "main.Level.Next", "main.Many", "main.nothing",
    ]
    let results = try Self.information().results(of: names)
    #expect(results["main.Two"] == GoResults(first: .integer))
    #expect(results["main.Half"] == GoResults(first: .double))
    #expect(results["main.Single"] == GoResults(first: .float))
    #expect(results["main.Fail"] == GoResults(first: .other(type: "error")))
    #expect(results["main.Words"] == GoResults(first: .other(type: "[]string")))
    #expect(results["main.Table"]?.areInRegisters == false)
    #expect(results["main.Many"]?.areInRegisters == false)
    #expect(results["main.(*Store).Save"] == GoResults(first: .integer))
    #expect(results["main.Level.Next"] == GoResults(first: .integer))
    #expect(results["main.main"] == GoResults(first: nil))
    #expect(results["main.nothing"] == nil)
  }

  @Test(
    "What is given must fit the first result; zero always does where registers hold all of them")
  func obstacles() {
    let error = GoResults(first: .other(type: "error"))
    #expect(error.obstacle(to: .zero, of: "f") == nil)
    #expect(
      error.obstacle(to: .integer, of: "f")?.contains("first returns the type \"error\"") ?? false)
    #expect(GoResults(first: .integer).obstacle(to: .integer, of: "f") == nil)
    #expect(GoResults(first: .integer).obstacle(to: .fraction, of: "f") != nil)
    #expect(GoResults(first: .double).obstacle(to: .integer, of: "f") == nil)
    #expect(GoResults(first: .double).obstacle(to: .computation, of: "f") != nil)
    #expect(GoResults(first: nil).obstacle(to: .integer, of: "f") == "\"f\" returns nothing")
    var table = error
    table.areInRegisters = false
    #expect(table.obstacle(to: .zero, of: "f") != nil)
  }

  @Test("A constant stands in the register of its first result")
  func registers() {
    let single = FunctionResult(7, of: "main.Single", results: GoResults(first: .float))
    #expect(single.integer == 0)
    #expect(single.number?.bitPattern == UInt64(Float(7).bitPattern))
    let half = FunctionResult(7, of: "main.Half", results: GoResults(first: .double))
    #expect(half.integer == 0 && half.number == 7 && half.isAlone)
    let two = FunctionResult(-7, of: "main.Two", results: GoResults(first: .integer))
    #expect(two.integer == UInt64(bitPattern: -7) && two.number == nil && two.isAlone)
    let fraction = FunctionResult(
      fraction: 0.5, of: "main.Single", results: GoResults(first: .float))
    #expect(fraction.number?.bitPattern == UInt64(Float(0.5).bitPattern))
  }

  @Test("Damaged debugging information says nothing, and ends nothing")
  func damaged() {
    var generator = SeededGenerator(7)
    // One unit of version 4 with a function and a base type, by abbreviations of its own.
    let abbreviations: [UInt8] = [
      1, 0x11, 1, 0, 0, 2, 0x2e, 1, 0x03, 0x08, 0, 0, 3, 0x05, 0, 0x4b, 0x0c, 0x49, 0x13, 0, 0,
      4, 0x24, 0, 0x03, 0x08, 0x3e, 0x0b, 0x0b, 0x0b, 0, 0, 0,
    ]
    let body: [UInt8] =
      [1, 2] + Array("main.f".utf8) + [0, 3, 1, 27, 0, 0, 0, 0, 4]
      + Array("float64".utf8) + [0, 4, 8, 0]
    let unit: [UInt8] = [4, 0, 0, 0, 0, 0, 8] + body
    let information = [UInt8(unit.count), 0, 0, 0] + unit
    let whole = DebugInformation(information: information, abbreviations: abbreviations)
    #expect(whole.results(of: ["main.f"]) == ["main.f": GoResults(first: .double)])
    for count in 0..<information.count {
      _ = DebugInformation(
        information: Array(information.prefix(count)), abbreviations: abbreviations
      ).results(of: ["main.f"])
    }
    for _ in 0..<20_000 {
      var (one, other) = (information, abbreviations)
      for _ in 0..<3 {
        one[generator.below(one.count)] = UInt8(generator.below(256))
        other[generator.below(other.count)] = UInt8(generator.below(256))
      }
      _ = DebugInformation(information: one, abbreviations: other).results(of: ["main.f"])
    }
  }

  @Test("Units whose tables overlap take no more room than one may have")
  func overlappingTables() throws {
    // Each table goes from its own place to the end.
    let abbreviations = [UInt8](repeating: 1, count: 300)
    let units = (0..<100).flatMap { place in
      [8, 0, 0, 0, 4, 0, UInt8(place), 0, 0, 0, 8, 0] as [UInt8]
    }
    var layout = DebugLayout(room: 1_000)
    var position = 0
    var added = 0
    while let unit = DebugUnit(units, at: position), layout.add(unit, from: abbreviations) {
      position = unit.end
      added += 1
    }

    let kept = layout.tables.values.flatMap(\.values).reduce(0) { $0 + 1 + $1.attributes.count }
    #expect(kept <= 1_000)
    #expect(added > 0 && added < 100)
  }
}
