/// Finds out, from the environment alone, which shard this process is.
///
/// A pure function of a dictionary: the rows of `ShardEngine.all` in their order, the first that fits.
package enum ShardEnvironment {
  /// The shard that was found.
  package struct Finding: Sendable, Hashable {
    /// The shard.
    package var shard: Shard
    /// The engine's name.
    package var engine: String
    /// The variables that said so, as `NAME=VALUE`.
    package var variables: [String]
  }

  /// Finds the variables of an engine.
  ///
  /// - Returns: `nil` where no engine has set any.
  ///
  /// - Throws: If an engine's variables are incomplete or contradict each other: a guess would
  ///   leave cases out, or run them twice.
  package static func find(_ environment: [String: String]) throws(ShardError) -> Finding? {
    for engine in ShardEngine.all {
      if let finding = try engine.find(Variables(environment)) { return finding }
    }
    let variables = Variables(environment)
    guard variables["SCENARIO_SHARD_TOTAL"] == nil else {
      throw ShardError(
        "\(variables.text("SCENARIO_SHARD_TOTAL")) is set, but the index of this shard is not",
        help: "set SCENARIO_SHARD_INDEX, counted from 0, or run as an Indexed Job")
    }
    return nil
  }

  /// The variables, of which an empty one counts as not set.
  struct Variables {
    private let all: [String: String]

    init(_ all: [String: String]) {
      self.all = all
    }

    subscript(_ name: String) -> String? {
      all[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The variable as `NAME=VALUE`.
    func text(_ name: String) -> String {
      "\(name)=\(self[name] ?? "")"
    }

    /// A number that is not negative.
    func number(_ name: String) throws(ShardError) -> Int? {
      guard let text = self[name] else { return nil }
      guard let number = Shard.number(text[...]) else {
        throw ShardError("\(self.text(name)) is not a number")
      }
      return number
    }
  }
}

/// The reason why the shard's number cannot be determined.
package struct ShardError: Error, Hashable, Sendable {
  /// Lower case, no full stop.
  package var message: String
  /// The exact fix.
  package var help: String

  init(_ message: String, help: String = "add --shard I/N, or set SCENARIO_SHARD=I/N") {
    self.message = message
    self.help = help
  }
}
