import Testing

@testable import Foundations

@Suite("Codes of diagnostics")
struct DiagnosticCodeTests {
  /// A code that is in use out there means the same for ever: this list only grows.
  private static let frozen: [DiagnosticCode: String] = [
    .unreadableFile: "E001", .badEncoding: "E002", .tooLarge: "E003", .badSyntax: "E004",
    .badIndentation: "E005", .unclosed: "E006", .needsQuotes: "E007", .badCharacter: "E008",
    .badEscape: "E009", .duplicateKey: "E010", .badAlias: "E011", .badTag: "E012",
    .badDocument: "E013", .badKey: "E014", .badJSON: "E015", .badVersion: "E020",
    .unknownKey: "E021", .missingKey: "E022", .wrongType: "E023", .unknownValue: "E024",
    .contradictory: "E025", .misplaced: "E026", .empty: "E027", .outOfRange: "E028",
    .badRange: "E029", .badName: "E030", .fixedText: "E031", .duplicateName: "E032",
    .afterEnd: "E033", .noEffect: "E034", .badDuration: "E040", .badInstant: "E041",
    .badRate: "E042", .badSize: "E043", .badRegularExpression: "E044", .badPattern: "E045",
    .badBase64: "E046", .badAddress: "E047", .badSchema: "E048", .badExpression: "E050",
    .unknownName: "E051", .unknownMember: "E052", .unknownFunction: "E053", .badOperands: "E054",
    .notText: "E055", .failedExpression: "E056", .notKnownHere: "E057", .unknownFactory: "E060",
    .unknownTrait: "E061", .unknownField: "E062", .factoryCycle: "E063", .dependencyCycle: "E064",
    .conflictingTraits: "E065", .readonlyField: "E066", .badPath: "E067",
    .unknownGenerator: "E068", .misusedGenerator: "E069", .exhausted: "E070",
    .unknownSequence: "E071", .unknownFake: "E072", .wrongFieldType: "E073",
    .brokenSchema: "E074", .failedAssertion: "E075", .badConstruct: "E076", .unencodable: "E077",
    .missingFile: "E080", .badPlace: "E081", .missingTarget: "E082", .badCommand: "E083",
    .badMode: "E084", .badSignal: "E085", .badStep: "E086", .impossibleStep: "E087",
    .badExpectation: "E088", .badRequest: "E090", .badStatus: "E091", .badHeader: "E092",
    .unreachableResponse: "E093", .badReply: "E094", .unreadableImport: "E095",
    .badGraphQLSchema: "E096", .badGraphQLDocument: "E097", .badGraphQLReply: "E098",
    .unknownState: "E099",
    .unknownProvider: "E100", .impossibleCondition: "E101", .impossibleProvider: "E102",
    .neverFires: "E103", .unknownEntry: "E104", .unknownCall: "E105", .badProto: "E106",
    .badMessage: "E107", .badOpenAPI: "E108", .badOpenAPIReply: "E109",
    .badArguments: "E110",
    .refusedPlan: "E116", .refusedShard: "E117", .refusedStreams: "E118",
    .damagedReport: "E119",
    .unwrittenReport: "E111", .smallLimits: "E112", .internalError: "E199", .looksLikeBool: "W001",
    .looksLikeOctal: "W002", .looksLikeTime: "W003", .looksLikeNumber: "W004", .unused: "W010",
    .repeatedTrait: "W011", .shadowedName: "W012", .shadowedEntry: "W013", .neverMet: "W014",
    .unlikelyError: "W015", .repeatedName: "W016", .cannotFail: "W017",
    .noDifference: "W018", .endlessRestart: "W019", .changedReport: "W020", .leftOut: "W021",
    .nothingToRun: "W022", .missingBody: "W033", .unknownTag: "W023", .staleRecord: "W024",
    .unsetSecret: "W025",
    .badMatrix: "E035", .badUse: "E036", .refusedOnly: "E037",
    .conditionOrDocument: "E038", .tightComment: "W026", .changedNumber: "W027",
    .lostSetting: "W028", .badTable: "E016", .missingInput: "E120", .badInput: "E121",
    .unknownInput: "E122", .badBlock: "E039", .oppositeOfSeveral: "W029",
    .formerName: "W030", .looksLikeExpression: "W031",
  ]

  @Test("Codes never change, and none is missing in the list")
  func frozen() {
    #expect(Self.frozen.count == DiagnosticCode.allCases.count)
    for code in DiagnosticCode.allCases {
      #expect(Self.frozen[code] == code.rawValue, "\(code)")
    }
    #expect(Set(DiagnosticCode.allCases.map(\.rawValue)).count == DiagnosticCode.allCases.count)
  }

  @Test("The letter of a code is its severity, and three digits follow")
  func letters() {
    for code in DiagnosticCode.allCases {
      let digits = code.rawValue.dropFirst()
      #expect(digits.count == 3 && digits.allSatisfy(\.isNumber), "\(code)")
      #expect(code.severity == (code.rawValue.hasPrefix("W") ? .warning : .error))
      #expect(Diagnostic("m", code: code, at: nil).severity == code.severity)
    }
  }

  @Test("A code is found whatever its capitals, and no other text is one")
  func named() {
    #expect(DiagnosticCode(named: "e021") == .unknownKey)
    #expect(DiagnosticCode(named: "E021") == .unknownKey)
    #expect(DiagnosticCode(named: "E21") == nil)
    #expect(DiagnosticCode(named: "") == nil)
  }

  @Test("Every code has a title and several sentences", arguments: DiagnosticCode.allCases)
  func explanation(code: DiagnosticCode) {
    let explanation = code.explanation

    #expect(!explanation.title.isEmpty && !explanation.title.hasSuffix("."))
    #expect(explanation.text.hasSuffix("."))
    #expect(explanation.text.count { $0 == "." } >= 2, "\(explanation.text)")
    #expect(!explanation.text.contains("\n"))
    #expect((explanation.wrong == nil) == (explanation.right == nil))
    #expect(explanation.wrong != explanation.right || explanation.wrong == nil)
  }

  @Test("Every page belongs to a code, and every code has one")
  func pages() {
    #expect(Set(explanationTexts.keys) == Set(DiagnosticCode.allCases.map(\.rawValue)))
  }

  @Test("A page is a title, sentences and examples")
  func page() {
    let page = """
      # a title

      One sentence
      over two lines. Another.

      ## Wrong

      ```yaml
      a:

        - "# no heading"
      ```

      ## Right

      ```sh
      true
      ```
      """
    let explanation = DiagnosticExplanation(markdown: page)

    #expect(explanation.title == "a title")
    #expect(explanation.text == "One sentence over two lines. Another.")
    #expect(explanation.wrong == .file("a:\n\n  - \"# no heading\""))
    #expect(explanation.right == .command("true"))
  }

  @Test("No two codes have one title")
  func titles() {
    #expect(
      Set(DiagnosticCode.allCases.map(\.explanation.title)).count == DiagnosticCode.allCases.count)
  }
}
