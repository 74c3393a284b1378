package import ScenarioModel

/// How names resolve.
package struct PlannedNames: Sendable, Hashable, Codable {
  /// The names with records of their own; those of steps come first, the latest one before the others.
  package var records: [PlannedName] = []
  /// The answer for a name that nothing knows.
  package var unknown = NameServiceSettings.Unknown.answer
  /// The domains that resolvers append to short names.
  package var search: [String] = []
  /// How many dots a name has that is asked for as it is first; `nil` is the resolver's default.
  package var dots: Int?
  /// How many seconds answers may be kept that have no length of their own.
  package var timeToLive: UInt32 = 0

  /// Creates settings that change nothing.
  package init() {}
}

/// A name with records of its own.
package struct PlannedName: Sendable, Hashable, Codable {
  /// The name in lower case, without a final dot; `*.` at its beginning stands for any names.
  package var name: String
  /// The answers, each for so many lookups of a type; the last one stays.
  package var answers: [Answer]
  /// The number, from 0, of the `dns:` step from which on it holds; `nil` is from the beginning.
  package var step: Int?

  /// All records that the name has at one time.
  package struct Answer: Sendable, Hashable, Codable {
    /// The records.
    package var records: [PlannedRecord]
    /// The types of which it says that there is no record.
    package var absentTypes: [UInt16]
    /// How many lookups of a type it answers.
    package var times: Int

    /// Creates an answer.
    package init(records: [PlannedRecord], absentTypes: [UInt16] = [], times: Int = 1) {
      self.records = records
      self.absentTypes = absentTypes
      self.times = times
    }
  }

  /// Creates a name.
  package init(name: String, answers: [Answer]) {
    self.name = name
    self.answers = answers
  }
}

/// The data of a record.
package struct PlannedRecord: Sendable, Hashable, Codable {
  /// The number of the type.
  package var type: UInt16
  /// How many seconds it may be kept.
  package var timeToLive: UInt32
  /// The data as it goes over the wire, with names in full.
  package var data: [UInt8]

  /// Creates a record.
  package init(type: UInt16, timeToLive: UInt32, data: [UInt8]) {
    self.type = type
    self.timeToLive = timeToLive
    self.data = data
  }
}
