internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel

extension ExpressionFunction {
  private static let list = Parameter.value("list", .list)

  static let lists: [ExpressionFunction] = [
    ExpressionFunction(
      "map", .lists, [list, .lambda("value")], gives: .list,
      "What a lambda makes of each element of a list.",
      example: Example("map([1, 2], i => i * 10)", "[10,20]"),
      mistake: Example("map([1], 2)", "map() needs a lambda of one name here")
    ) { (arguments) throws(PatternError) in
      var values: [Value] = []
      for element in arguments.list(0) { values.append(try arguments.apply(1, element)) }
      return .list(values)
    },
    ExpressionFunction(
      "filter", .lists, [list, .lambda("condition", gives: .bool)], gives: .list,
      "The elements of a list for which a condition holds.",
      example: Example("filter([1, 2, 3], i => i > 1)", "[2,3]"),
      mistake: Example(
        "filter(['a'], i => upper(i))", "filter() needs a lambda that gives a bool, not text")
    ) { (arguments) throws(PatternError) in
      var values: [Value] = []
      for element in arguments.list(0) where try arguments.holds(1, element) {
        values.append(element)
      }
      return .list(values)
    },
    ExpressionFunction(
      "any", .lists, [list, .lambda("condition", gives: .bool)], gives: .bool,
      "Whether a condition holds for any element of a list; false for an empty one.",
      example: Example("any([1, 2], i => i == 2)", "true"),
      mistake: Example("any(1, i => true)", "any() cannot take a number")
    ) { (arguments) throws(PatternError) in
      for element in arguments.list(0) where try arguments.holds(1, element) { return .bool(true) }
      return .bool(false)
    },
    ExpressionFunction(
      "all", .lists, [list, .lambda("condition", gives: .bool)], gives: .bool,
      "Whether a condition holds for all elements of a list; true for an empty one.",
      example: Example("all([1, 2], i => i > 0)", "true"),
      mistake: Example("all([1])", "all() takes 2 arguments, not 1")
    ) { (arguments) throws(PatternError) in
      for element in arguments.list(0) where !(try arguments.holds(1, element)) {
        return .bool(false)
      }
      return .bool(true)
    },
    ExpressionFunction(
      "sum", .lists, [list, .lambda("number", gives: .number, isOptional: true)], gives: .number,
      "The sum of the numbers of a list, or of what a lambda makes of its elements; 0 for an empty one.",
      example: Example("sum([{'n': 1}, {'n': 2.5}], i => i.n)", "3.5"),
      mistake: Example("sum(['1'])", "sum() cannot take the list: its element 0 is text")
    ) { (arguments) throws(PatternError) in
      var sum = Value.integer(0)
      for (index, element) in arguments.list(0).enumerated() {
        let value = try arguments.apply(1, element)
        guard value.double != nil else {
          throw arguments.badElement(value, at: index, help: "hand it numbers")
        }
        sum = try BinaryOperator.plus(sum, value)
      }
      return sum
    },
    ExpressionFunction(
      "sort", .lists,
      [list, .lambda("key", gives: [.integer, .fraction, .text], isOptional: true)],
      gives: .list,
      "A list in the order of its numbers or texts, or of those that a lambda gives; what is equal keeps its order.",
      example: Example("sort(['b', 'C', 'a'], i => lower(i))", #"["a","b","C"]"#),
      mistake: Example("sort([1, 'a'])", "sort() cannot order a number and text")
    ) { (arguments) throws(PatternError) in try sorted(arguments) },
    ExpressionFunction(
      "group", .lists, [list, .lambda("key", gives: .inText)], gives: .map,
      "A map from what a lambda gives, as text, to the elements of a list for which it gives that.",
      example: Example("group(['ab', 'c', 'de'], i => len(i))", #"{"2":["ab","de"],"1":["c"]}"#),
      mistake: Example(
        "group([1], i => null)",
        "group() needs a lambda that gives a bool, a number or text, not null")
    ) { (arguments) throws(PatternError) in
      var groups: OrderedDictionary<String, [Value]> = [:]
      for element in arguments.list(0) {
        let key = try arguments.apply(1, element)
        guard let text = key.textForm else {
          throw arguments.error("cannot group by \(key.kindWithArticle)")
        }
        groups[text, default: []].append(element)
      }
      return .map(groups.mapValues { .list($0) })
    },
    ExpressionFunction(
      "unique", .lists, [list], gives: .list, "The elements of a list, each once.",
      example: Example("unique([2, 1, 2])", "[2,1]"),
      mistake: Example("unique('aa')", "unique() cannot take text")
    ) { arguments in
      var seen: Set<Value> = []
      return .list(arguments.list(0).filter { seen.insert($0).inserted })
    },
    ExpressionFunction(
      "reverse", .lists, [list], gives: .list, "A list from its end to its beginning.",
      example: Example("reverse([1, 2, 3])", "[3,2,1]"),
      mistake: Example("reverse({})", "reverse() cannot take a map")
    ) { .list($0.list(0).reversed()) },
    ExpressionFunction(
      "contains", .lists, [.value("whole", [.list, .map, .text]), .value("part", .any)],
      gives: .bool,
      "Whether a list has an element, a map a key, or a text another text, as `part in whole`.",
      example: Example("contains([1, 2], 2)", "true"),
      mistake: Example("contains('a', 1)", "\"in\" is not defined for a number and text")
    ) { (arguments) throws(PatternError) in
      try BinaryOperator.membership(arguments[1], arguments[0])
    },
    ExpressionFunction(
      "keys", .lists, [.value("map", .map)], gives: .list, "The keys of a map, in order.",
      example: Example("keys({'b': 1, 'a': 2})", #"["b","a"]"#),
      mistake: Example("keys([1])", "keys() cannot take a list")
    ) { arguments in
      guard case .map(let members) = arguments[0] else { return .null }
      return .list(members.keys.map(Value.string))
    },
    ExpressionFunction(
      "values", .lists, [.value("map", .map)], gives: .list, "The values of a map, in order.",
      example: Example("values({'b': 1, 'a': 2})", "[1,2]"),
      mistake: Example("values(null)", "values() cannot take null")
    ) { arguments in
      guard case .map(let members) = arguments[0] else { return .null }
      return .list(Array(members.values))
    },
  ]

  /// A stable order by numbers, or by texts.
  private static func sorted(_ arguments: FunctionArguments) throws(PatternError) -> Value {
    var keyed: [(key: Value, place: Int, element: Value)] = []
    for (place, element) in arguments.list(0).enumerated() {
      keyed.append((try arguments.apply(1, element), place, element))
    }
    let first = keyed.first?.key
    for (key, place, _) in keyed {
      let isKnown = key.double != nil || key.text != nil
      guard isKnown else {
        throw arguments.badElement(key, at: place, help: "sort numbers, or texts")
      }
      guard let first, (key.text == nil) == (first.text == nil) else {
        throw arguments.error(
          "cannot order \(first?.kindWithArticle ?? "") and \(key.kindWithArticle)",
          help: "sort numbers, or texts; string(x) makes text of a number")
      }
    }
    // All keys are of one kind, so that each two have an order.
    let order = keyed.sorted { left, right in
      if (try? BinaryOperator.less(left.key, right.key)) == .bool(true) { return true }
      if (try? BinaryOperator.less(right.key, left.key)) == .bool(true) { return false }
      return left.place < right.place
    }
    return .list(order.map(\.element))
  }
}
