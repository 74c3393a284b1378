internal import OrderedCollections
internal import ScenarioModel

/// Turns data as written into data that is ready, for one case.
///
/// Everything is evaluated at most once and on demand: a field of an object, an object of `build:`.
/// A `nil` answer means that the mistake has been reported.
struct DataEvaluator {
  /// Lists, maps, templates, objects and expressions within each other.
  static let nestingLimit = 600
  /// Objects within objects.
  static let associationLimit = 64
  /// Objects of one case.
  static let objectLimit = 100_000
  /// Values that expressions of one case may bring in, counted one by one.
  static let valueLimit = 2_000_000

  /// How far a value that is evaluated once has got.
  enum Slot {
    case running
    case done(PlannedData)
    case failed
  }

  /// A value under evaluation, for messages about circles.
  struct Frame {
    /// `user.email` or `build.bob`.
    var label: String
    /// Which object; `nil` for an object of `build:`.
    var object: Int?
    /// Where it is defined.
    var range: SourceRange
  }

  struct SequenceAddress: Hashable {
    var owner: String
    var range: SourceRange
  }

  let factories: FactoryTable
  let builds: OrderedDictionary<String, DataField>
  let seed: Int64
  var diagnostics: DiagnosticBag

  var objects: [ObjectState] = []
  var buildSlots: [String: Slot] = [:]
  var frames: [Frame] = []
  var associationDepth = 0
  var valueCount = 0
  /// Set when a limit is met: what is on the way then ends without more messages.
  var isAborted = false
  private var nesting = 0
  private var drawn: [SequenceAddress: Int64] = [:]

  /// Takes definitions by precedence: the first of a name wins.
  init(
    factories: [FactoryDefinition], builds: [DataField], seed: Int64,
    diagnostics: DiagnosticBag = DiagnosticBag()
  ) {
    self.factories = FactoryTable(factories)
    self.builds = OrderedDictionary(builds.map { ($0.key.value, $0) }) { first, _ in first }
    self.seed = seed
    self.diagnostics = diagnostics
  }

  // MARK: - Questions

  /// The data that a node stands for.
  mutating func data(_ node: DataNode, in place: DataPlace) -> PlannedData? {
    isAborted = false
    return evaluate(node, in: place)
  }

  /// The text that a node stands for.
  mutating func text(_ node: DataNode, in place: DataPlace) -> PlannedText? {
    switch data(node, in: place) {
    case nil: return nil
    case .text(let text): return text
    case .value(let value):
      guard let text = value.textForm else {
        diagnostics.report(
          "\(value.kindWithArticle) cannot stand where text is meant", at: node.range,
          help: "write text, a number or a bool")
        return nil
      }
      return PlannedText(text)
    case .list, .map:
      diagnostics.report(
        "a list or a map cannot stand where text is meant", at: node.range,
        help: "write text, a number or a bool")
      return nil
    }
  }

  /// Builds every object of `build:` in order, so that sequences do not depend on who asks first.
  mutating func buildAll() {
    for (name, field) in builds {
      isAborted = false
      _ = buildValue(name, usedAt: field.key.range)
    }
  }

  // MARK: - Nodes

  mutating func evaluate(_ node: DataNode, in place: DataPlace) -> PlannedData? {
    guard !isAborted, enter(at: node.range) else { return nil }
    defer { nesting -= 1 }
    switch node.content {
    case .literal(let value): return .value(value)
    case .template(let template): return evaluate(template, at: node.range, in: place)
    case .list(let elements):
      let planned = elements.map { evaluate($0, in: place) }
      let ready = planned.compactMap { $0 }
      return ready.count == planned.count ? .folding(ready) : nil
    case .map(let fields):
      var members: OrderedDictionary<String, PlannedData> = [:]
      var isComplete = true
      for field in fields {
        let value = evaluate(field.value, in: place)
        if let value { members[field.key.value] = value }
        isComplete = isComplete && value != nil
      }
      return isComplete ? .folding(members) : nil
    case .sequence(let start, let step):
      return draw(start: start, step: step, at: node.range, in: place).map { .value(.integer($0)) }
    case .build(let request):
      return build(request, at: node.range, in: place)
    }
  }

  private mutating func draw(
    start: Int64, step: Int64, at range: SourceRange, in place: DataPlace
  ) -> Int64? {
    let address = SequenceAddress(owner: place.owner, range: range)
    guard let last = drawn[address] else {
      drawn[address] = start
      return start
    }
    let (next, overflow) = last.addingReportingOverflow(step)
    guard !overflow else {
      diagnostics.report(
        "the sequence from \(start) in steps of \(step) leaves the range of numbers", at: range,
        help: "begin nearer to 0, or take smaller steps")
      return nil
    }
    drawn[address] = next
    return next
  }

  // MARK: - Limits

  /// Counts one level; every `true` must be followed by one `leave`.
  mutating func enter(at range: SourceRange) -> Bool {
    guard nesting < Self.nestingLimit else {
      abort(
        "data nests, or fields depend on each other, deeper than \(Self.nestingLimit)", at: range)
      return false
    }
    nesting += 1
    return true
  }

  mutating func leave() {
    nesting -= 1
  }

  mutating func abort(
    _ message: String, at range: SourceRange, help: String? = nil, notes: [Diagnostic.Note] = []
  ) {
    diagnostics.report(Diagnostic(message, at: range, help: help, notes: notes))
    isAborted = true
  }
}
