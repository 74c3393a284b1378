extension DiagnosticCode {
  /// Whether a mistake of this kind is one whatever the rest of the file says.
  ///
  /// Where a part of a file could not be read, names that stand in that part are missing for the rest; what
  /// is told then must not follow from it.
  public var standsAlone: Bool {
    switch self {
    case .badRegularExpression, .badPattern, .badAddress, .badSchema, .badSignal, .badMode,
      .badPlace, .missingFile, .badCommand, .unknownCall, .impossibleCondition,
      .impossibleProvider, .badRequest, .badHeader, .badStatus, .badGraphQLSchema,
      .badGraphQLDocument, .badExpression, .unknownFunction, .badOperands, .unknownFake,
      .unreadableImport, .badJSON, .badCharacter, .badInstant, .badRange, .badExpectation:
      true
    default: false
    }
  }

  /// Whether a mistake of this kind shows in front of a place where a file cannot be read any further.
  ///
  /// What may be missing because it stands behind that place is none.
  var showsInPart: Bool {
    switch self {
    case .duplicateKey, .badAlias, .badTag, .badKey, .unknownKey, .wrongType, .unknownValue,
      .outOfRange, .badName, .fixedText, .badDuration, .badRate, .badSize, .badBase64,
      .unknownGenerator, .contradictory, .badVersion:
      true
    default: standsAlone || subject == .lookalikes
    }
  }
}
