import ScenarioPlan
import Testing

@testable import Supervisor

@Suite("Names of functions with asterisks")
struct FunctionNamesTests {
  @Test(
    "An asterisk stands for any characters, and a name without one for itself",
    arguments: [
      ("BN_*", "BN_free", "BNfree"), ("*free", "BN_free", "BN_freed"), ("*", "x", ""),
      ("B*_*e", "BN_free", "BN_frex"), ("a*a", "aa", "a"), ("a*b*c", "axxbyyc", "axxcyyb"),
      ("free", "free", "freed"), ("a**b", "ab", "abc"),
    ])
  func patterns(pattern: String, meant: String, other: String) {
    let names = FunctionNames([pattern])

    #expect(names.contains(meant))
    #expect(names.contains(other) == (other.isEmpty && pattern == "*"))
  }

  @Test("What is excepted is not meant, unless it is named as it is")
  func exceptions() {
    let names = FunctionNames(["BN_*", "BN_num_bits"], except: ["BN_free", "BN_num*"])

    #expect(names.contains("BN_new"))
    #expect(!names.contains("BN_free"))
    #expect(!names.contains("BN_num_bytes"))
    #expect(names.contains("BN_num_bits"))
  }

  @Test("Functions that a pattern means are counted and answered, and the others are not")
  func counting() throws {
    let all = try ChaosRun.output(
      ["functions", "local", "4"],
      "  - { function: 'wor*', in: exe, provide: { compute: result + 10 } }")
    let none = try ChaosRun.output(
      ["functions", "local", "4"],
      "  - { function: 'wor*', except: work, in: exe, provide: { compute: result + 10 } }")

    #expect(all.output.hasPrefix("sum=44 "))
    #expect(all.program.supervisor.snapshot().faults.first?.fired == 4)
    #expect(none.output.hasPrefix("sum=4 "))
    #expect(none.program.supervisor.snapshot().faults.first?.matched == 0)
  }

  @Test("A file tells which functions its programs and libraries do not have")
  func missing() throws {
    let program = ProgramFunctions(program: try CompiledProgram.path("functions"))
    func missing(_ name: String, _ place: PlannedFunctions.Place) -> [String] {
      program.missing(PlannedFunctions(names: [name], place: place)).map {
        "\($0.name) \($0.near ?? "-")"
      }
    }

    #expect(missing("sqrtt", .library("libm")) == ["sqrtt sqrt"])
    #expect(missing("cbrt", .library("libm")) == [])
    #expect(missing("cbr*", .library("libm")) == [])
    #expect(missing("zzz*", .library("libm")) == ["zzz* -"])
    // What it may load later, and what its children may have, nobody knows.
    #expect(missing("deflate", .library("libz")) == [])
    #expect(missing("wrok", .program) == [])
    #expect(missing("mallok", .anywhere) == [])
    let alone = ProgramFunctions(program: try CompiledProgram.path("brief"))
    #expect(
      alone.missing(PlannedFunctions(names: ["mian"], place: .program)).map(\.near) == ["main"])
    #expect(alone.missing(PlannedFunctions(names: ["main"], place: .program)).isEmpty)
    #expect(alone.missing(PlannedFunctions(names: ["mallok"])).map(\.near) == ["malloc"])
    #expect(alone.missing(PlannedFunctions(names: ["malloc", "main", "cal*"])).isEmpty)
    let unknown = ProgramFunctions(program: try CompiledProgram.path("functions-static"))
    #expect(unknown.missing(PlannedFunctions(names: ["mallok"])).isEmpty)
    #expect(
      ProgramFunctions(program: "/dev/null").missing(.init(names: ["x"], place: .program)).isEmpty)
  }
}
