internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// The scenario around data: all that data can depend on besides the factories.
struct EvaluationContext {
  /// The scenario file.
  var file = ""
  /// The folder that paths in it count from; empty is the runner's own.
  var folder = ""
  /// Files that it uses, in which paths count from their own folders.
  var shared: [SharedParts.File] = []
  /// The row of the matrix; `nil` where there is none.
  var row: OrderedDictionary<String, Value>?
  /// The values of `vars:`.
  var variables = VariableValues([], VariableInputs())
  /// The names of `secrets: { env: … }`, whose values the run alone knows.
  var secrets: [String] = []
  /// The names of the targets.
  var targets: [String] = []
  /// The names of those that are hosts.
  var hosts: [String] = []
  /// The scenario's name, which random values depend on.
  var scenario = ""
  /// The scenario's place among all scenarios, from 0.
  var index = 0
  /// The wall clock's first instant; `nil` if the scenario does not say.
  var clock: WallInstant?
  /// Variables of the target, in order.
  var environment: [DataField] = []
  /// Names that are let through from the runner's own environment.
  var passedEnvironment: [String] = []
  /// `sequences:`.
  var sequences: [SequenceDefinition] = []
  /// True if values are asked for by which cases are listed, before any is planned.
  var isListing = false
  /// True if `with` may set readonly fields.
  var allowsReadonly = false
  /// The bytes of a file whose path is joined to the scenario file's folder.
  var readFile: @Sendable (String) -> [UInt8]? = { _ in nil }
}

/// Turns data as written into data that is ready, for one case.
///
/// Everything is evaluated at most once and on demand: a field of an object, an object of `build:`.
/// `.failed` and a `nil` answer mean that the mistake has been reported.
struct DataEvaluator {
  /// Lists, maps, templates, objects and expressions within each other.
  static let nestingLimit = 600
  /// Objects within objects.
  static let associationLimit = 64
  /// Objects of one case, and elements of one list.
  static let objectLimit = 1_000_000
  /// Elements of all lists of one case.
  static let elementLimit = 2_000_000
  /// Values that expressions of one case may bring in, counted one by one.
  static let valueLimit = 2_000_000

  /// The progress of a value that is evaluated once.
  enum Slot {
    case running
    case done(PlannedData)
    case failed
  }

  /// A value under evaluation, for messages about circles.
  struct Frame {
    /// The object; `nil` for data outside of objects.
    var object: ObjectFrame?
    /// The number of the field in it.
    var slot = -1
    /// `build.bob` for what is no field.
    var name = ""
    /// The place of its definition.
    var range: SourceRange

    /// `user.email` or `build.bob`.
    var label: String { object.map { $0.plan.label(slot) } ?? name }
  }

  struct SequenceAddress: Hashable {
    var owner: String
    var range: SourceRange
  }

  /// A `$build` as written in one field of one plan.
  struct Site: Hashable {
    var plan: ObjectIdentifier?
    var slot: Int
    var range: SourceRange
    var overrides: Int
    var variant: Int

    func hash(into hasher: inout Hasher) {
      hasher.combine(plan)
      hasher.combine(range.line &* 4_096 &+ range.column)
      hasher.combine(variant)
    }
  }

  var factories: FactoryTable
  let builds: OrderedDictionary<String, DataField>
  let seed: Int64
  /// The names of the state that the case's responses share.
  var stateNames: [String] = []
  let context: EvaluationContext
  /// `sequences:` by name, of which the first counts.
  private(set) lazy var sequences = Dictionary(
    context.sequences.map { ($0.name.value, $0) }, uniquingKeysWith: { first, _ in first })
  private(set) lazy var sequenceNames = KnownNames(sequences.keys)
  private(set) lazy var buildNames = ExpressionFields(builds.keys.elements)
  var diagnostics: DiagnosticBag

  /// Plans by their place; `nil` for one whose mistakes have been reported.
  var plans: [Site: ObjectPlan?] = [:]
  var buildSlots: [String: Slot] = [:]
  var environmentSlots: [String: Slot] = [:]
  var frames: [Frame] = []
  var associationDepth = 0
  var objectCount = 0
  /// The maximum number of objects that may be built.
  var objectLimit = DataEvaluator.objectLimit
  /// The number of elements of all lists so far.
  var elementCount = 0
  var valueCount = 0
  /// The number of bytes of text that expressions have made.
  var textCount = 0
  /// The number of objects that each factory has given a number.
  var objectNumbers: [String: Int64] = [:]
  /// The number of draws from each sequence.
  var drawn: [SequenceAddress: Int64] = [:]
  /// The values that fakes have given which must be new.
  var usedFakes: [SequenceAddress: Set<Value>] = [:]
  /// The number of functions that have drawn a random number at each place.
  var drawnCalls: [String: Int] = [:]
  /// Files, patterns and schemas that were read or compiled.
  var materials = GeneratorCache()
  /// The setters of all parts; `nil` where no explanation was requested.
  var explanation: DataExplanation?
  /// The changes that `$mutate` has made, in order; also those that are not kept.
  var mutations: [PlannedMutation] = []
  /// The numbers of the changes that are made; `nil` for all.
  var keptMutations: Set<Int>?
  /// The factories and traits that were used.
  var use = FactoryUse()
  /// The secrets that data asks for, each with its first place.
  var neededSecrets: OrderedDictionary<String, SourceRange> = [:]
  /// True if a value asks for the address of a target that is on no host.
  var asksAddresses = false
  /// The names that expressions in the files of replies read.
  var namesRead = NamesRead()
  /// The names that are captured before the data is needed.
  var captures = CaptureNames()
  /// The names that are captured too late for the data, with their places.
  var lateCaptures: [String: SourceRange] = [:]
  /// The objects that steps build before the data is needed, by name; `nil` for a value that only the run knows.
  var stepBuilds: OrderedDictionary<String, PlannedData?> = [:]
  /// True if the data is between steps, some of which are before it.
  var hasOrder = true
  /// Set when a limit is met: what is on the way then ends without more messages.
  var isAborted = false
  private var nesting = 0
  private let randomPrefix: StreamKey

  /// Takes definitions by precedence: the first of a name wins.
  init(
    factories: [FactoryDefinition], builds: [DataField], seed: Int64,
    diagnostics: DiagnosticBag = DiagnosticBag(), context: EvaluationContext = .init()
  ) {
    self.factories = FactoryTable(factories)
    self.builds = OrderedDictionary(builds.map { ($0.key.value, $0) }) { first, _ in first }
    self.seed = seed
    self.diagnostics = diagnostics
    self.context = context
    randomPrefix = StreamKey(seed: seed, entry: context.scenario)
  }

  // MARK: - Questions

  /// Returns the data of a node.
  mutating func data(_ node: DataNode, in place: EvaluationSite) -> PlannedData? {
    isAborted = false
    return evaluate(node, in: place).data
  }

  /// Returns the text of a node.
  mutating func text(_ node: DataNode, in place: EvaluationSite) -> PlannedText? {
    switch data(node, in: place) {
    case nil: return nil
    case .text(let text): return text
    case .value(let value):
      guard let text = value.textForm else {
        reportNoText(value.kindWithArticle, at: node.range)
        return nil
      }
      return PlannedText(text)
    case .list, .map:
      reportNoText("a list or a map", at: node.range)
      return nil
    }
  }

  mutating func reportNoText(_ kind: String, at range: SourceRange) {
    diagnostics.report(
      "\(kind) cannot be used as text", code: .notText, at: range,
      help: "write text, a number or a bool; use { $json: … } to convert data to text")
  }

  /// Builds every object of `build:` in order, so that sequences do not depend on who asks first.
  mutating func buildAll() {
    for (name, field) in builds {
      isAborted = false
      _ = buildValue(name, usedAt: field.key.range)
    }
  }

  /// The stream of random numbers of a place, which depends on nothing but the place.
  func random(at address: DataAddress) -> SplitMix64 {
    SplitMix64(seed: randomSeed(at: address))
  }

  /// Returns the seed of that stream.
  func randomSeed(at address: DataAddress) -> UInt64 {
    var key = randomPrefix
    address.add(to: &key)
    return key.value
  }

  // MARK: - Nodes

  mutating func evaluate(_ node: DataNode, in place: EvaluationSite) -> DataOutcome {
    if case .literal(let value) = node.content { return .value(value) }
    guard !isAborted, enter(at: node.range) else { return .failed }
    defer { leave() }
    switch node.content {
    case .literal(let value): return .value(value)
    case .template(let template): return evaluate(template, at: node.range, in: place)
    case .list(let elements): return evaluate(elements, in: place)
    case .map(let fields): return evaluate(fields, in: place)
    case .sequence(let rule): return draw(rule, at: node.range, in: place)
    case .build(let request): return build(request, at: node.range, in: place)
    case .generator(let generator): return generate(generator, at: node.range, in: place)
    }
  }

  private mutating func evaluate(_ elements: [DataNode], in place: EvaluationSite) -> DataOutcome {
    var ready: [PlannedData] = []
    ready.reserveCapacity(elements.count)
    var isComplete = true
    for (index, element) in elements.enumerated() {
      switch evaluate(element, in: place.part(.index(index))) {
      case .value(let value): ready.append(.value(value))
      case .planned(let data): ready.append(data)
      case .omitted: break
      case .failed: isComplete = false
      }
    }
    return isComplete ? DataOutcome(.folding(ready)) : .failed
  }

  private mutating func evaluate(_ fields: [DataField], in place: EvaluationSite) -> DataOutcome {
    var members: OrderedDictionary<String, PlannedData> = [:]
    var isComplete = true
    for field in fields {
      switch evaluate(field.value, in: place.part(.key(field.key.value))) {
      case .value(let value): members[field.key.value] = .value(value)
      case .planned(let data): members[field.key.value] = data
      case .omitted: break
      case .failed: isComplete = false
      }
    }
    return isComplete ? DataOutcome(.folding(members)) : .failed
  }

  // MARK: - Limits

  /// Counts one level; every `true` must be followed by one `leave`.
  mutating func enter(at range: SourceRange) -> Bool {
    guard nesting < Self.nestingLimit else {
      abort(
        "data nests, or fields depend on each other, deeper than \(Self.nestingLimit)",
        code: .tooLarge, at: range)
      return false
    }
    nesting += 1
    return true
  }

  mutating func leave() {
    nesting -= 1
  }

  /// Counts elements of a list before they are made.
  mutating func countElements(_ count: Int, at range: SourceRange) -> Bool {
    guard count <= Self.elementLimit - elementCount else {
      abort(
        "lists of the scenario have more than \(Self.elementLimit) elements", code: .tooLarge,
        at: range)
      return false
    }
    elementCount += count
    return true
  }

  mutating func abort(
    _ message: String, code: DiagnosticCode, at range: SourceRange, help: String? = nil,
    notes: [Diagnostic.Note] = []
  ) {
    diagnostics.report(Diagnostic(message, code: code, at: range, help: help, notes: notes))
    isAborted = true
  }

  /// Runs a check; what it throws is reported at `range`.
  mutating func catching(
    as code: DiagnosticCode, at range: SourceRange, _ work: () throws(PatternError) -> Value
  ) -> DataOutcome {
    do throws(PatternError) {
      return .value(try work())
    } catch {
      diagnostics.report(error.message, code: code, at: range, help: error.help)
      return .failed
    }
  }
}

/// The factories and traits that a file's scenarios use.
struct FactoryUse {
  var factories: Set<String> = []
  /// Traits as `FACTORY.TRAIT`.
  var traits: Set<String> = []

  mutating func formUnion(_ other: FactoryUse) {
    factories.formUnion(other.factories)
    traits.formUnion(other.traits)
  }
}
