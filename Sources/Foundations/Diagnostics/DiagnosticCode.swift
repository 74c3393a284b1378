/// The kind of mistake that a diagnostic is about: stable for ever, so that it can be searched for.
///
/// `E` stands for mistakes that keep everything from running, `W` for those with which it runs all
/// the same. A code is never given a second meaning; one that is no longer needed stays free. The
/// tens that a code lies in give the subject, see ``Subject``.
package enum DiagnosticCode: String, CaseIterable, Hashable, Sendable {
  // MARK: Reading a file

  /// A file or folder that cannot be opened.
  case unreadableFile = "E001"
  /// Bytes that are not UTF-8.
  case badEncoding = "E002"
  /// A file, a nesting or a number of things beyond a limit.
  case tooLarge = "E003"
  /// Text that is not YAML.
  case badSyntax = "E004"
  /// Lines that are not lined up, or indented with tabs.
  case badIndentation = "E005"
  /// A bracket, brace or quote without its end.
  case unclosed = "E006"
  /// Text that YAML takes for something else unless it is quoted.
  case needsQuotes = "E007"
  /// A NUL or another control character.
  case badCharacter = "E008"
  /// An escape in double quotes that means nothing.
  case badEscape = "E009"
  /// A key that occurs twice in one map.
  case duplicateKey = "E010"
  /// An alias of an undefined anchor, or of a node that contains it.
  case badAlias = "E011"
  /// A tag that is not known or does not fit.
  case badTag = "E012"
  /// An empty file, a second document or a directive.
  case badDocument = "E013"
  /// A key that is no text, or a merge of something that is no map.
  case badKey = "E014"
  /// A file that should be JSON and is not.
  case badJSON = "E015"
  /// A table whose rows do not fit its first line.
  case badTable = "E016"

  // MARK: The shape of the language

  /// A `version` that is missing or not known.
  case badVersion = "E020"
  /// A key that the language does not have here.
  case unknownKey = "E021"
  /// A key that must be there.
  case missingKey = "E022"
  /// A list where a map is meant, a text where a number is, and the like.
  case wrongType = "E023"
  /// A word that is none of those allowed.
  case unknownValue = "E024"
  /// Two settings of which only one can be given.
  case contradictory = "E025"
  /// A key that belongs to another one.
  case misplaced = "E026"
  /// A value without content.
  case empty = "E027"
  /// A number or length beyond what is allowed.
  case outOfRange = "E028"
  /// Bounds that are missing, or in the wrong order.
  case badRange = "E029"
  /// A name with letters that it cannot have.
  case badName = "E030"
  /// An expression where only fixed text is allowed.
  case fixedText = "E031"
  /// A name that is given twice.
  case duplicateName = "E032"
  /// Content behind the end.
  case afterEnd = "E033"
  /// A setting that can change nothing.
  case noEffect = "E034"
  /// A matrix without rows, or with rows that cannot be.
  case badMatrix = "E035"
  /// A file that cannot be used, or not beside another.
  case badUse = "E036"
  /// `only` where nothing may be left out.
  case refusedOnly = "E037"
  /// A map that may be a document, or a condition that does not exist.
  case conditionOrDocument = "E038"
  /// A block that is not there, holds itself, or is given what it does not take.
  case badBlock = "E039"

  // MARK: Values with a form of their own

  /// A duration that cannot be read.
  case badDuration = "E040"
  /// An instant that cannot be read, or is not fixed.
  case badInstant = "E041"
  /// A flow or rate of time that cannot be read.
  case badRate = "E042"
  /// A number of bytes that cannot be read.
  case badSize = "E043"
  /// A regular expression that cannot be read.
  case badRegularExpression = "E044"
  /// A glob, JSON path, XPath or XML to compare with that cannot be read.
  case badPattern = "E045"
  /// Text that is not Base64.
  case badBase64 = "E046"
  /// A URL, host or address that cannot be read.
  case badAddress = "E047"
  /// A JSON Schema that cannot be used.
  case badSchema = "E048"

  // MARK: Expressions

  /// An expression that cannot be read.
  case badExpression = "E050"
  /// A name that nothing has here.
  case unknownName = "E051"
  /// A name behind a dot that is not there.
  case unknownMember = "E052"
  /// A function that is not there.
  case unknownFunction = "E053"
  /// An operator or function with values that it cannot take.
  case badOperands = "E054"
  /// Null, a list or a map in the middle of text.
  case notText = "E055"
  /// An expression that has no value.
  case failedExpression = "E056"
  /// A name whose value is not known at this place.
  case notKnownHere = "E057"

  // MARK: Factories

  /// A factory that is not defined.
  case unknownFactory = "E060"
  /// A trait that the factory does not have.
  case unknownTrait = "E061"
  /// A field that the factory does not have.
  case unknownField = "E062"
  /// Factories or traits that lead back to themselves.
  case factoryCycle = "E063"
  /// Fields that need each other.
  case dependencyCycle = "E064"
  /// Two traits that exclude each other.
  case conflictingTraits = "E065"
  /// A field that must not be given.
  case readonlyField = "E066"
  /// An override by a path that leads nowhere.
  case badPath = "E067"
  /// A `$key` that is no generator.
  case unknownGenerator = "E068"
  /// A generator that has nothing to work on here.
  case misusedGenerator = "E069"
  /// A sequence or list that has come to its end.
  case exhausted = "E070"
  /// A sequence that is not defined.
  case unknownSequence = "E071"
  /// A fake that is not there.
  case unknownFake = "E072"
  /// A value that is not of its field's type.
  case wrongFieldType = "E073"
  /// An object that its factory's schema refuses.
  case brokenSchema = "E074"
  /// An object that breaks what `after` asserts.
  case failedAssertion = "E075"
  /// A `construct` that cannot be followed.
  case badConstruct = "E076"
  /// A value that the format cannot write.
  case unencodable = "E077"

  // MARK: Targets, files and steps

  /// A file that does not exist.
  case missingFile = "E080"
  /// A path that leaves the scenario's directory, or two that clash.
  case badPlace = "E081"
  /// A scenario without a program.
  case missingTarget = "E082"
  /// A command without a program's name.
  case badCommand = "E083"
  /// A file mode that cannot be read.
  case badMode = "E084"
  /// A signal that does not exist.
  case badSignal = "E085"
  /// A step that is not one action.
  case badStep = "E086"
  /// A step that cannot be executed at its place.
  case impossibleStep = "E087"
  /// An expectation that nothing can meet.
  case badExpectation = "E088"

  // MARK: The network

  /// A request that no client can make.
  case badRequest = "E090"
  /// A number that is no status.
  case badStatus = "E091"
  /// A header that cannot go over the wire.
  case badHeader = "E092"
  /// A response that never gets its turn.
  case unreachableResponse = "E093"
  /// A reply that cannot be given.
  case badReply = "E094"
  /// A recording or import that cannot be taken over.
  case unreadableImport = "E095"
  /// A mistake in a GraphQL schema.
  case badGraphQLSchema = "E096"
  /// A GraphQL document that the schema refuses.
  case badGraphQLDocument = "E097"
  /// A GraphQL reply that the schema refuses.
  case badGraphQLReply = "E098"
  /// State that nothing sets.
  case unknownState = "E099"
  /// A mistake in a .proto file or a descriptor set.
  case badProto = "E106"
  /// A gRPC call or message that the .proto files do not have.
  case badMessage = "E107"
  /// A mistake in a document of OpenAPI.
  case badOpenAPI = "E108"
  /// A response that the document of OpenAPI does not allow.
  case badOpenAPIReply = "E109"

  // MARK: Chaos

  /// A provider that is not there.
  case unknownProvider = "E100"
  /// A condition that can never hold.
  case impossibleCondition = "E101"
  /// An action that is impossible for its target.
  case impossibleProvider = "E102"
  /// An entry whose time never comes.
  case neverFires = "E103"
  /// A name of a step, response or entry that is not there.
  case unknownEntry = "E104"
  /// A call, function or error that is not there.
  case unknownCall = "E105"

  // MARK: The command line

  /// Arguments that name nothing.
  case badArguments = "E110"
  /// A report that could not be written.
  case unwrittenReport = "E111"
  /// Limits of this process that leave no room for a run.
  case smallLimits = "E112"
  /// A saved plan that is damaged, stale or of another version.
  case refusedPlan = "E116"
  /// A shard that does not exist, or is not distinct from others.
  case refusedShard = "E117"
  /// Event streams that do not make one run together.
  case refusedStreams = "E118"
  /// A report that cannot be read to its end, or that is of another release.
  case damagedReport = "E119"
  /// A variable or secret without a value.
  case missingInput = "E120"
  /// A value that a variable cannot have, or a file of values that cannot be read.
  case badInput = "E121"
  /// A variable that the command line gives and no file has.
  case unknownInput = "E122"
  /// A mistake in this program.
  case internalError = "E199"

  // MARK: What may be meant otherwise

  /// A text that YAML 1.1 read as true or false.
  case looksLikeBool = "W001"
  /// A text of digits that YAML 1.1 read as octal.
  case looksLikeOctal = "W002"
  /// A text with colons that YAML 1.1 read as a number.
  case looksLikeTime = "W003"
  /// A text that YAML 1.1 read as a number.
  case looksLikeNumber = "W004"
  /// A factory, trait, param, variable or column of a matrix that nothing uses.
  case unused = "W010"
  /// A trait that is asked for twice.
  case repeatedTrait = "W011"
  /// A field that is hidden by a name of the language.
  case shadowedName = "W012"
  /// A chaos entry behind one that takes all.
  case shadowedEntry = "W013"
  /// A part of a chaos entry that is never reached.
  case neverMet = "W014"
  /// An error that the call does not give by itself.
  case unlikelyError = "W015"
  /// A name that two entries share which steps and reports distinguish by it.
  case repeatedName = "W016"
  /// An expectation that everything meets, or a wait that ends at once.
  case cannotFail = "W017"
  /// A setting of an entry that changes nothing.
  case noDifference = "W018"
  /// A target that is started again and again.
  case endlessRestart = "W019"
  /// A report that could not say everything.
  case changedReport = "W020"
  /// Cases that `only` leaves out.
  case leftOut = "W021"
  /// A file that holds nothing to run.
  case nothingToRun = "W022"
  /// A tag that no scenario carries.
  case unknownTag = "W023"
  /// A request of the command line that no record of earlier runs supports.
  case staleRecord = "W024"
  /// A secret that has no value to hide.
  case unsetSecret = "W025"
  /// A text that ends where a comment begins which may belong to it.
  case tightComment = "W026"
  /// A number that texts show otherwise than it is written.
  case changedNumber = "W027"
  /// A setting of the file's top that a scenario leaves out where it replaces the whole.
  case lostSetting = "W028"
  /// The opposite of several conditions, which one that does not hold satisfies.
  case oppositeOfSeveral = "W029"
  /// A word of an earlier version of the language.
  case formerName = "W030"
  /// A text that names a value as other tools do.
  case looksLikeExpression = "W031"
  /// A body that an imported file names and does not hold.
  case missingBody = "W033"
}

extension DiagnosticCode {
  /// The severity of mistakes of this kind.
  package var severity: Diagnostic.Severity { rawValue.hasPrefix("W") ? .warning : .error }

  /// Finds a code by its text; capitals do not count.
  package init?(named text: String) {
    self.init(rawValue: text.uppercased())
  }

  /// The subject of a code, for lists.
  package enum Subject: String, CaseIterable, Sendable {
    /// Reading a file.
    case reading = "reading a file"
    /// The shape of the language.
    case shape = "the shape of the language"
    /// Values with a form of their own.
    case values = "values with a form of their own"
    /// Expressions.
    case expressions = "expressions"
    /// Factories.
    case factories = "factories"
    /// Targets, files and steps.
    case targets = "targets, files and steps"
    /// The network.
    case network = "the network"
    /// Chaos.
    case chaos = "chaos"
    /// The command line.
    case command = "the command line"
    /// Texts that may be meant otherwise.
    case ambiguities = "what may be meant otherwise"
  }

  /// The subject of the code.
  package var subject: Subject {
    guard severity == .error else { return .ambiguities }
    return switch Int(rawValue.dropFirst()) ?? 0 {
    case ..<20: .reading
    case ..<40: .shape
    case ..<50: .values
    case ..<60: .expressions
    case ..<80: .factories
    case ..<90: .targets
    case ..<100, 106...109: .network
    case ..<110: .chaos
    default: .command
    }
  }
}
