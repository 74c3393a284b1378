extension ExpressionRoot {
  /// The names that may stand behind it; empty where files decide, or where nothing may.
  package var members: [String] {
    switch self {
    case .clock: ["now", "today", "unix"]
    case .scenario: ["id", "index", "name", "seed"]
    case .request: RequestNames.all
    case .build, .env, .seed, .dir, .matrix, .capture, .object, .parent, .n, .index, .count: []
    }
  }

  /// What it stands for, in one sentence.
  package var summary: String {
    switch self {
    case .build: "The objects of `build`, by name."
    case .env: "The variables of the target's environment, by name."
    case .clock: "The scenario's own time: `now`, `today` or `unix`."
    case .scenario: "The scenario itself: its `id`, `index`, `name` or `seed`."
    case .seed: "The number that random values derive from."
    case .request: "The request that a reply is for."
    case .dir: "The folder of the case, in which the target runs."
    case .matrix: "The values of the case's row of the matrix, by name."
    case .capture: "What steps have captured, by name."
    case .object: "The object that the expression belongs to."
    case .parent: "The object around that one."
    case .n: "The number of a sequence, or of the object among those of its factory."
    case .index: "The place in the list around, from 0."
    case .count: "How many elements the list around has."
    }
  }
}
