package import Foundations

/// `network: { dns: … }`: how host names and other names resolve.
package struct NameServiceSettings: Sendable {
  /// `unknown:` the answer to questions for a name that nothing in the file knows.
  package enum Unknown: String, Sendable, CaseIterable, Codable {
    /// An address of its own, which leads to the mock server.
    case answer
    /// The name does not exist.
    case nxdomain
    /// The name server refuses.
    case refused
    /// The name server fails.
    case servfail
    /// No answer.
    case timeout
  }

  /// `records:`, by name.
  package var records: [NameRecords] = []
  /// `unknown:`, `answer` unless said.
  package var unknown: Located<Unknown>?
  /// `search:` the domains that a resolver appends to short names; `nil` where not said.
  package var search: [Located<String>]?
  /// `ndots:` how many dots a name has that is asked for as it is first.
  package var dots: Located<Int>?
  /// `ttl:` how long answers may be kept that have no length of their own; zero unless said.
  package var timeToLive: Located<Nanoseconds>?

  /// The place in the file; `nil` where it is not written.
  package var range: SourceRange?

  /// Creates settings.
  package init() {}

  /// The settings with what they do not say taken from others.
  package func over(_ other: NameServiceSettings?) -> NameServiceSettings {
    guard let other else { return self }
    var merged = self
    merged.records += other.records.filter { record in
      !records.contains { $0.name.value == record.name.value }
    }
    merged.unknown = unknown ?? other.unknown
    merged.search = search ?? other.search
    merged.dots = dots ?? other.dots
    merged.timeToLive = timeToLive ?? other.timeToLive
    return merged
  }
}

/// The records of one name: answers, each for so many lookups, of which the last one stays.
package struct NameRecords: Sendable {
  /// The name in lower case, without a final dot; `*.` at its beginning stands for any names.
  package var name: Located<String>
  /// The answers, one at least.
  package var answers: [NameAnswer]

  /// Creates records.
  package init(name: Located<String>, answers: [NameAnswer]) {
    self.name = name
    self.answers = answers
  }
}

/// All records that a name has at one time.
package struct NameAnswer: Sendable {
  /// The data of a record, as it is written.
  package enum Data: Sendable {
    /// As master files write it.
    case text(Located<String>)
    /// Bytes.
    case bytes([UInt8])
  }

  /// The records of one type.
  package struct RecordSet: Sendable {
    /// The type's number.
    package var number: UInt16
    /// The type, if it has a word.
    package var type: NameRecordType?
    /// The place of the key.
    package var range: SourceRange
    /// The data of each record; none says that there is none of this type.
    package var data: [Data]

    /// Creates a set.
    package init(number: UInt16, type: NameRecordType?, range: SourceRange, data: [Data]) {
      self.number = number
      self.type = type
      self.range = range
      self.data = data
    }
  }

  /// The records, by type.
  package var sets: [RecordSet] = []
  /// `ttl:` how long the records may be kept.
  package var timeToLive: Located<Nanoseconds>?
  /// `times:` how many lookups it answers; 1 unless said, and all in the last answer.
  package var times: Located<Int>?
  /// The place of the answer.
  package var range: SourceRange

  /// Creates an answer without records.
  package init(range: SourceRange) {
    self.range = range
  }
}
