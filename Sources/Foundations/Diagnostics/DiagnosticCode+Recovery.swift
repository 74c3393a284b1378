extension DiagnosticCode {
  /// True if a mistake of this kind is one whatever the rest of the file says.
  ///
  /// Where a part of a file could not be read, names in that part are missing for the rest; what is
  /// reported then must not follow from it.
  package var standsAlone: Bool {
    switch self {
    case .badRegularExpression, .badPattern, .badAddress, .badSchema, .badSignal, .badMode,
      .badPlace, .missingFile, .badCommand, .unknownCall, .impossibleCondition,
      .impossibleProvider, .badRequest, .badHeader, .badStatus, .badGraphQLSchema,
      .badGraphQLDocument, .badProto, .badOpenAPI, .badExpression, .unknownFunction, .badOperands,
      .unknownFake,
      .unreadableImport, .badJSON, .badCharacter, .badInstant, .badRange, .badExpectation:
      true
    default: false
    }
  }

  /// True if a mistake of this kind shows in front of a place where a file cannot be read any further.
  ///
  /// A name that may be missing because it is defined behind that place is none.
  package var showsInPart: Bool {
    switch self {
    case .duplicateKey, .badAlias, .badTag, .badKey, .unknownKey, .wrongType, .unknownValue,
      .outOfRange, .badName, .fixedText, .conditionOrDocument, .badDuration, .badRate, .badSize,
      .badBase64,
      .unknownGenerator, .contradictory, .badVersion:
      true
    default: standsAlone || subject == .ambiguities
    }
  }

  /// Returns whether a mistake of this kind may show only because a key of a file's top is broken.
  package func mayFollow(fromBroken key: String) -> Bool {
    switch key {
    case "version", "name", "tags", "skip", "only", "files": return false
    case "factories", "sequences", "build", "allow_readonly", "seed", "matrix":
      return !standsAlone && [.expressions, .factories].contains(subject) || self == .badMatrix
    case "responses", "network":
      return !standsAlone && (subject == .network || isAboutSurroundings || isAboutName)
    case "chaos", "explore":
      return !standsAlone && (subject == .chaos || isAboutSurroundings || isAboutName)
    case "target": return !standsAlone && (subject == .targets || isAboutSurroundings)
    case "clock", "timeout", "entropy":
      return [.outOfRange, .badRange, .badInstant, .badExpectation, .neverFires].contains(self)
        || subject == .targets || isAboutSurroundings
    case "expect", "steps", "cleanup":
      return !standsAlone && ![.values, .factories].contains(subject)
    default: return !standsAlone
    }
  }

  /// True if a mistake of this kind is about how two things go together.
  private var isAboutSurroundings: Bool {
    switch self {
    case .contradictory, .misplaced, .empty, .missingKey, .afterEnd, .noEffect: true
    default: false
    }
  }

  /// True if a mistake of this kind is a name that is not there.
  private var isAboutName: Bool {
    switch self {
    case .notKnownHere, .unknownMember, .unknownEntry, .unknownName, .unknownState: true
    default: false
    }
  }
}
