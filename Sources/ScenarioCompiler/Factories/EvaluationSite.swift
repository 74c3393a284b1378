internal import Foundations

/// The site of data, which decides on the names that its expressions can use.
struct EvaluationSite {
  /// The names of the run that expressions of a site may use.
  enum RunNames: Equatable {
    /// No values of the run: the data must be ready before it.
    case none
    /// `dir`
    case directory
    /// `dir` and `request`; `captures` are the names that the entry's URL captures.
    case request(captures: [String])
  }

  /// The object whose fields are visible.
  var frame: ObjectFrame?
  /// The number of the field that the data belongs to.
  var slot = -1
  /// The factory and the field, or nothing outside of objects.
  var owner = ""
  /// The setter of the field, where that is to be reported.
  var layer: FieldLayer?
  /// The names of the run that expressions may use here.
  var runNames = RunNames.none
  /// True if expressions may use the state that responses share, though the data is of no reply.
  var seesState = false
  /// The address of the value, from which random values derive.
  var address: DataAddress
  /// The place in the list around the data, from 0.
  var index: Int?
  /// The number of elements of that list.
  var count: Int?
  /// The names of the lambdas around, whose values are not known yet.
  var lambdaNames: Set<String> = []
  /// The number of the sequence whose `value` this is.
  var number: Int64?

  /// Data of a target, a step or an expectation.
  static var scenario: EvaluationSite {
    EvaluationSite(runNames: .directory, address: DataAddress(root: "scenario"))
  }
  /// An object of `build:`.
  static var build: EvaluationSite { EvaluationSite(address: DataAddress(root: "build")) }
  /// Data of a reply.
  static func reply(captures: [String]) -> EvaluationSite {
    EvaluationSite(runNames: .request(captures: captures), address: DataAddress(root: "reply"))
  }

  /// True if the data is part of a reply, which is made when a request comes.
  var isInReply: Bool {
    if case .request = runNames { true } else { false }
  }

  /// The place with an address of its own, which random values depend on.
  func at(_ address: String) -> EvaluationSite {
    var place = self
    place.address = DataAddress(root: address)
    return place
  }

  /// The place of a part.
  func part(_ step: PathStep) -> EvaluationSite {
    var place = self
    place.address = DataAddress(step, of: address)
    return place
  }
}

/// The path to a value: a model's name, then steps into the model.
final class DataAddress {
  private enum Step {
    case root(String)
    case key(String)
    case index(Int)
  }

  private let step: Step
  private let parent: DataAddress?

  init(root: String) {
    step = .root(root)
    parent = nil
  }

  init(_ step: PathStep, of parent: DataAddress) {
    switch step {
    case .key(let key): self.step = .key(key)
    case .index(let index): self.step = .index(index)
    }
    self.parent = parent
  }

  /// The path as messages write it.
  var text: String {
    switch step {
    case .root(let root): root
    case .key(let key): (parent?.text ?? "") + PathStep.key(key).text
    case .index(let index): (parent?.text ?? "") + "[\(index)]"
    }
  }

  /// Adds the model's name, a zero byte and the path inside of it to a key.
  func add(to key: inout StreamKey) {
    switch step {
    case .root(let root):
      key.add(root)
      key.add(0)
    case .key(let name):
      parent?.add(to: &key)
      if parent?.parent != nil { key.add(UInt8(ascii: ".")) }
      key.add(name)
    case .index(let index):
      parent?.add(to: &key)
      key.add(UInt8(ascii: "["))
      key.add(decimal: Int64(index))
      key.add(UInt8(ascii: "]"))
    }
  }
}
