internal import Foundations
internal import ScenarioModel

extension Form<Int64> {
  /// A whole number, or a number of bytes with its unit.
  static var chaosSize: Form { Form(.the("chaosSize")) { $0.decodeSize($1, $2) } }
  /// The same, zero or more, for room on a disk.
  static var diskSpace: Form { Form(.the("chaosSize")) { $0.decodeSpace($1, $2) } }
}

extension Form<ClosedRange<Int64>> {
  /// The form of two such numbers, the smaller one first.
  static var chaosBounds: Form {
    Form(.pair(of: .the("chaosSize"))) { $0.decodeBounds($1, $2) }
  }
}

extension Form<WrittenConditions> {
  /// `where:`.
  static var chaosWhere: Form {
    Form(.the("chaosWhere")) { decoder, node, _ in decoder.decodeChaosConditions(node) }
  }
}

extension Form<Located<IntegerCondition>> {
  /// A number, a number of bytes, or conditions on it.
  static var chaosNumber: Form { Form(.the("chaosNumber")) { $0.decodeIntegerCondition($1, $2) } }
}

extension Form<FaultAction> {
  /// `provide:`, and the forms that replace it within others.
  static var chaosProvider: Form {
    Form(.the("chaosProvider")) { decoder, node, _ in decoder.decodeChaosProvider(node) }
  }
}

extension Form<PartialAmount> {
  /// A number of bytes, or a part.
  static var chaosAmount: Form { Form(.the("chaosAmountOrSize")) { $0.decodeAmount($1, $2) } }
}

extension Form<Located<InstantExpression>> {
  /// An instant, or a shift from the scenario's start.
  static var bound: Form {
    Form(.either(.instant, .pattern("^[+-]"))) { $0.decodeInstantExpression($1, $2) }
  }
}
