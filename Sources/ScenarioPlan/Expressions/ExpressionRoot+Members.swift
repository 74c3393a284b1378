extension ExpressionRoot {
  /// The names that may follow it; empty where files decide, or where nothing may.
  package var members: [String] {
    switch self {
    case .clock: ["now", "today", "unix"]
    case .scenario: ["id", "index", "name", "seed"]
    case .request: RequestNames.all
    case .build, .env, .vars, .secrets, .targets, .seed, .dir, .matrix, .capture, .state, .object,
      .parent,
      .n,
      .index,
      .count:
      []
    }
  }
}
