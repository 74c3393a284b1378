@testable import ScenarioModel
import ScenarioPlan
import Testing

/// What the reader of expressions proposes in place of filters are functions.
@Suite("Functions in place of filters")
struct FilterFunctionTests {
  @Test("Every function is known, and those that replace filters take so many arguments")
  func functions() throws {
    let names = ExpressionFunction.all.map(\.name)

    #expect(Set(FilterChain.functions.keys).isDisjoint(with: FilterChain.otherFunctions))
    #expect(Set(FilterChain.functions.keys).union(FilterChain.otherFunctions) == Set(names))
    for (name, counts) in FilterChain.functions {
      let function = try #require(ExpressionFunction.named(name))
      let allowed = (0...9).filter { count in
        // Lambdas are no arguments of filters.
        function.mistake(argumentCount: count) == nil
          && (0..<count).allSatisfy { function.lambda(atArgument: $0) == nil }
      }
      // As filters, they are about the value alone.
      let isOfMany = ["max", "min"].contains(name)
      let wanted = isOfMany ? allowed.filter { $0 == 1 } : allowed
      #expect(Array(counts) == wanted, "\(name)")
    }
  }

  @Test("Names of other tools have a function, and are none")
  func foreignNames() {
    let names = ExpressionFunction.all.map(\.name)

    for (name, function) in FilterChain.foreignNames {
      #expect(FilterChain.functions[function] != nil && !names.contains(name), "\(name)")
    }
  }
}
