internal import ScenarioModel

/// Where data stands, and so which names its expressions can use.
struct DataPlace {
  /// What only the run knows and this place may ask for.
  enum RunNames: Equatable {
    /// Nothing: the data must be ready before the run.
    case none
    /// `dir`
    case directory
    /// `dir` and `request`; `captures` are the names that the entry's URL captures.
    case request(captures: [String])
  }

  /// The object whose fields are visible, by its place in the evaluator's list.
  var object: Int?
  /// The factory and the field, or nothing outside of objects.
  var owner = ""
  /// What the run will know.
  var runNames = RunNames.none

  /// Data of a target, a step or an expectation.
  static let scenario = DataPlace(runNames: .directory)
  /// An object of `build:`.
  static let build = DataPlace()
  /// Data of a reply.
  static func reply(captures: [String]) -> DataPlace {
    DataPlace(runNames: .request(captures: captures))
  }
}
