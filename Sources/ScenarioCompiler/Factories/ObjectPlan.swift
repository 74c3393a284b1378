internal import Foundations
internal import OrderedCollections
internal import ScenarioModel
internal import ScenarioPlan

/// The setter of a field.
enum FieldSetter: Hashable, Sendable {
  /// The factory's own `fields`.
  case base(String)
  /// A map that the object begins with.
  case from
  /// A trait that was asked for, or that a factory always has.
  case trait(String, isDefault: Bool)
  /// `with`, as a whole or at a path into the field.
  case with(String)
  /// A rule of `after_build`.
  case after

  var text: String {
    switch self {
    case .base(let factory): "base \(factory)"
    case .from: "construct.from"
    case .trait(let name, let isDefault): isDefault ? "default trait \(name)" : "trait \(name)"
    case .with(let key): "with \(key)"
    case .after: "after_build"
    }
  }
}

/// The setter of a field, and those below: `$merge` and `$append` leave parts to them.
final class FieldLayer {
  let setter: FieldSetter
  /// The place where it is set.
  let range: SourceRange
  let below: FieldLayer?

  init(_ setter: FieldSetter, at range: SourceRange, below: FieldLayer?) {
    self.setter = setter
    self.range = range
    self.below = below
  }
}

/// The definition of an object's field after all layers are merged.
struct FieldDefinition {
  var node: DataNode
  /// The factory and the field that declare the node, by which sequences are distinguished.
  var owner: String
  var layer: FieldLayer
  /// Paths of `with` into what `node` writes out, from the field on, by the key that sets them.
  var parts: [(steps: ArraySlice<PathStep>, key: Located<String>)] = []
  var isParam = false
  var kind: FieldType.Kind?

  init(
    node: DataNode, owner: String, setter: FieldSetter, range: SourceRange, isParam: Bool = false,
    over previous: FieldDefinition? = nil
  ) {
    self.node = node
    self.owner = owner
    self.isParam = isParam
    layer = FieldLayer(setter, at: range, below: previous?.layer)
  }

  var setter: FieldSetter { layer.setter }
  /// The place where the field is set.
  var range: SourceRange { layer.range }
}

/// The plan of the objects of one place: names and precedence decided once.
final class ObjectPlan {
  let factory: String
  let names: [String]
  let definitions: [FieldDefinition]
  /// The place of each field and param in the two lists above.
  let index: [String: Int]
  /// The names as expressions can name them.
  private(set) lazy var expressionFields = ExpressionFields(names)
  /// The fields that expressions reach by their bare name: a name of the language keeps its
  /// meaning.
  let bareIndex: [String: Int]
  /// The fields in the order in which they are evaluated.
  let order: [Int]
  /// An object of nulls with the fields in the order in which they are written.
  let template: OrderedDictionary<String, Value>
  /// The fields in the order of a constructor's arguments; empty if there is none.
  let arguments: [Int]
  let after: [AfterRule]
  let schema: SchemaReference?

  init(
    factory: String, definitions: OrderedDictionary<String, FieldDefinition>,
    arguments: [String], after: [AfterRule], schema: SchemaReference?
  ) {
    self.factory = factory
    names = definitions.keys.elements
    self.definitions = definitions.values.elements
    var index: [String: Int] = [:]
    for (place, name) in definitions.keys.enumerated() { index[name] = place }
    self.index = index
    bareIndex = index.filter { ExpressionRoot(rawValue: $0.key)?.yieldsToFields ?? true }
    self.arguments = arguments.compactMap { index[$0] }
    var template: OrderedDictionary<String, Value> = [:]
    var fields: [Int] = []
    for (place, entry) in definitions.elements.enumerated() where !entry.value.isParam {
      template[entry.key] = .null
      fields.append(place)
    }
    self.template = template
    order = fields
    self.after = after
    self.schema = schema
  }

  func label(_ slot: Int) -> String { "\(factory).\(names[slot])" }
}

/// An object under construction.
final class ObjectFrame {
  /// The progress of a value that is evaluated once.
  enum Slot {
    case untouched
    case running
    case done(DataOutcome)
  }

  let plan: ObjectPlan
  var slots: [Slot]
  /// The object that this one is a part of.
  let parent: ObjectFrame?
  /// The site of the object.
  let place: EvaluationSite
  /// The object's number among those of its factory; `nil` until it is read.
  var number: Int64?

  init(plan: ObjectPlan, parent: ObjectFrame?, place: EvaluationSite) {
    self.plan = plan
    slots = Array(repeating: .untouched, count: plan.definitions.count)
    self.parent = parent
    self.place = place
  }
}

/// The result of evaluating a node.
enum DataOutcome {
  case value(Value)
  /// Data with parts that only the run knows.
  case planned(PlannedData)
  /// No value: the key or element is left out.
  case omitted
  /// A mistake that has been reported.
  case failed

  init(_ data: PlannedData?) {
    switch data {
    case nil: self = .failed
    case .value(let value)?: self = .value(value)
    case let data?: self = .planned(data)
    }
  }

  /// The data; `nil` for a mistake, null for what is left out.
  var data: PlannedData? {
    switch self {
    case .value(let value): .value(value)
    case .planned(let data): data
    case .omitted: .value(.null)
    case .failed: nil
    }
  }
}
