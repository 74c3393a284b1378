internal import Foundations
internal import GraphQL
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// `network: { graphql: … }`; reads the schema.
  mutating func planGraphQL() -> PlannedGraphQL? {
    guard let settings = body.network?.graphQL else { return nil }
    var planned = PlannedGraphQL()
    if let path = settings.schema {
      let resolved = existingFile(path)
      planned.schemaPath = resolved
      let (schema, problems) = schemas.read(resolved, options)
      for problem in problems { data.diagnostics.report(problem) }
      graphQLSchema = schema
      if settings.replies?.value == .examples { planned.sampleSeed = seed }
    } else if let replies = settings.replies {
      report(
        "\"replies\" has no effect without a schema", code: .noEffect, at: replies.range,
        help: "write schema: api.graphql beside it, or remove it")
    }
    switch settings.persisted?.value {
    case nil, "auto": planned.persisted = .automatic
    case "reject": planned.persisted = .reject
    case .some:
      if let path = settings.persisted { planned.persisted = .manifest(path: planManifest(path)) }
    }
    if let url = settings.url {
      var captures: [String] = []
      planned.url = planURL(url, &captures)
    }
    planned.initialisation = settings.initialisation.map { planInitialisation($0) }
    return planned
  }

  private mutating func planInitialisation(
    _ settings: GraphQLInitialisation
  ) -> PlannedGraphQLInitialisation {
    var planned = PlannedGraphQLInitialisation(within: settings.within)
    if let payload = settings.payload {
      var match = PlannedGraphQLMatch(kind: nil, operation: nil)
      plan(payload, "payload", into: &match)
      planned.payload = match
    }
    planned.acknowledgement = settings.acknowledgement.flatMap {
      data.data($0, in: EvaluationSite.reply(captures: []).at("scenario"))
    }
    return planned
  }

  private mutating func planManifest(_ path: Located<String>) -> String {
    if let question = Suggestion.question(for: path.value, in: ["auto", "reject"]),
      options.readFile(path.value) == nil
    {
      report(
        "unknown value \"\(path.value)\" for \"persisted\"", code: .unknownValue, at: path.range,
        help: "\(question) allowed values: auto, reject, or the file of a manifest")
      return path.value
    }
    let resolved = existingFile(path)
    guard let bytes = options.readFile(resolved) else { return resolved }
    do throws(JSONParseError) {
      let json = try JSONText.parse(utf8: bytes, refusesRepetition: true)
      guard GraphQLPersistedDocuments.manifest(json) == nil else { return resolved }
      report(
        "\"\(resolved)\" is not a manifest of documents", code: .unreadableImport, at: path.range,
        help: "write a JSON map from hashes to documents, or Apollo's \"operations\"")
    } catch {
      data.diagnostics.report(
        error.message, code: .badJSON,
        at: SourceRange(file: resolved, line: error.line, column: error.column),
        help: "name a JSON manifest, or write auto or reject")
    }
    return resolved
  }

  // MARK: - Entries

  mutating func planPattern(
    _ pattern: GraphQLPattern, _ captures: inout [String]
  ) -> PlannedResponse.Match? {
    var match = PlannedGraphQLMatch(kind: pattern.kind, operation: pattern.operation?.value)
    if let text = pattern.url {
      match.url = planURL(text, &captures)
      if match.url == nil { return nil }
    }
    var written: GraphQLDocument?
    if let document = pattern.document {
      guard let found = planDocument(document, pattern) else { return nil }
      match.document = found.canonicalText
      written = found
    }
    if let wanted = pattern.variables {
      plan(wanted, "variables", into: &match)
      if let operation = written?.operation(named: pattern.operation?.value) {
        check(wanted, match, of: operation)
      }
    }
    if let kind = pattern.kind, let schema = graphQLSchema, schema.root(kind) == nil {
      report(
        "the schema has no \(kind.rawValue) type", code: .badGraphQLDocument,
        at: pattern.operation?.range,
        help: "no request can match this entry; remove it, or add the type to the schema")
    }
    return .graphQL(match)
  }

  private mutating func plan(
    _ wanted: GraphQLVariables, _ key: String, into match: inout PlannedGraphQLMatch
  ) {
    match.variables = data.data(wanted.values, in: .scenario)
    if let variables = match.variables, !variables.isMap {
      report(
        "\"\(key)\" must be a map from names to values", code: .wrongType, at: wanted.values.range,
        help: "write \(key): { id: 42 }")
    }
    match.exact = wanted.exact
    match.matchers = wanted.matchers.compactMap { field in
      planMatcher(field.matcher, in: .scenario).map {
        PlannedFieldMatcher(name: field.name.value, matcher: $0)
      }
    }
  }

  /// Compares an entry's variables with those of its document.
  private mutating func check(
    _ wanted: GraphQLVariables, _ match: PlannedGraphQLMatch, of operation: GraphQLOperation
  ) {
    let names = operation.variables.map(\.name.text)
    guard case .map(let fields) = wanted.values.content else { return }
    for field in fields where !names.contains(field.key.value) {
      report(
        "the document has no variable \"$\(field.key.value)\"", code: .badGraphQLDocument,
        at: field.key.range,
        help: Suggestion.help(for: field.key.value, in: names, label: "variables"))
    }
    for field in wanted.matchers {
      guard case .key(let name)? = (try? JSONPathQuery(field.name.value))?.steps?.first,
        !names.contains(name)
      else {
        continue
      }
      report(
        "the document has no variable \"$\(name)\"", code: .badGraphQLDocument,
        at: field.name.range,
        help: Suggestion.help(for: name, in: names, label: "variables"))
    }
    guard let schema = graphQLSchema, let variables = match.variables else { return }
    for field in fields {
      guard let value = variables.member(field.key.value)?.literal else { continue }
      // An entry names a part of what comes: only what is there can be wrong.
      let errors = operation.coerce(.map([field.key.value: value]), in: schema).errors.filter {
        !$0.message.hasSuffix("was not provided.")
      }
      for error in errors {
        report(
          "invalid variables: \(error.message)", code: .badGraphQLDocument,
          at: field.value.range,
          help: "write a value of the variable's type in the document")
      }
    }
  }

  /// The document of an entry; every mistake is reported.
  private mutating func planDocument(
    _ text: Located<String>, _ pattern: GraphQLPattern
  ) -> GraphQLDocument? {
    let document: GraphQLDocument
    do throws(GraphQLSyntaxError) {
      document = try GraphQLDocument(parsing: text.value)
    } catch {
      report(
        error.message, of: pattern, at: error.location, subject: "the document is malformed",
        help: "write an executable document, such as \"query Q { user { name } }\"")
      return nil
    }
    if let schema = graphQLSchema {
      for error in document.errors(in: schema) {
        report(
          error.message, of: pattern, at: error.locations.first,
          subject: "the document does not fit the schema",
          help: "correct the document, or the schema in \"network.graphql\"")
      }
    }
    guard let operation = document.operation(named: pattern.operation?.value) else {
      report(
        pattern.operation.map { "the document has no operation \"\($0.value)\"" }
          ?? "the document has several operations", code: .badGraphQLDocument, at: text.range,
        help: pattern.operation.map {
          Suggestion.help(
            for: $0.value, in: document.operations.compactMap(\.name?.text), label: "operations")
        } ?? "select one of them with \"operation: NAME\"")
      return nil
    }
    if let kind = pattern.kind, kind != operation.kind {
      report(
        "the document's operation is a \(operation.kind.rawValue), not a \(kind.rawValue)",
        code: .badGraphQLDocument, at: text.range,
        help: "write \"operation\" instead of \"\(kind.rawValue)\"")
    }
    return document
  }

  /// Reports a mistake in a document: where it stands, or else with its place within the document.
  private mutating func report(
    _ message: String, of pattern: GraphQLPattern, at location: GraphQLLocation?, subject: String,
    help: String
  ) {
    guard let document = pattern.document else { return }
    guard let location else {
      return report(
        "\(subject): \(message)", code: .badGraphQLDocument, at: document.range, help: help)
    }
    let range = pattern.documentPlaces?.range(
      line: location.line, column: location.column, of: document.value)
    let place = range == nil ? " at its line \(location.line), column \(location.column)" : ""
    report(
      "\(subject)\(place): \(message)", code: .badGraphQLDocument, at: range ?? document.range,
      help: help)
  }

  // MARK: - Replies

  /// `data`, `errors` and `extensions` as one map, errors first, as the specification advises.
  mutating func planResult(
    _ reply: Reply, _ content: DataNode?, _ errors: DataNode?, _ extensions: DataNode?,
    in place: EvaluationSite
  ) -> PlannedReply.Body? {
    var fields: [DataField] = []
    for (name, node) in [("errors", errors), ("data", content), ("extensions", extensions)] {
      if let node { fields.append(DataField(key: Located(name, at: node.range), value: node)) }
    }
    let node = DataNode(.map(fields), at: reply.range)
    return data.data(node, in: place).map(PlannedReply.Body.json)
  }

  mutating func planStream(
    _ entries: [GraphQLStreamEntry], in place: EvaluationSite
  ) -> PlannedReply.Body {
    var events: [PlannedGraphQLEvent] = []
    // An entry that only waits delays the one behind it.
    var delay = Nanoseconds.zero
    for entry in entries {
      delay += entry.delay
      let content: PlannedGraphQLEvent.Content?
      switch entry.event {
      case .next(let node): content = data.data(node, in: place).map { .next($0) }
      case .error(let node): content = data.data(node, in: place).map { .errors($0) }
      case .complete: content = .complete
      case .close(let code, let reason): content = .close(code: code, reason: reason)
      case .leave(let ending): content = .leave(ending)
      case nil: content = nil
      }
      guard let content else { continue }
      events.append(PlannedGraphQLEvent(delay: delay, content: content, range: entry.range))
      delay = .zero
    }
    return .graphQLStream(events)
  }

  /// The variables that an entry is for, as far as they are known now.
  private func knownVariables(
    _ match: PlannedResponse.Match?, _ operation: GraphQLOperation?, _ schema: GraphQLSchema
  ) -> [String: Value] {
    guard let operation, case .graphQL(let match)? = match,
      let variables = match.variables?.literal, case .map(let members) = variables
    else {
      return [:]
    }
    // A variable that the entry does not name may have its default, or not.
    return operation.coerce(variables, in: schema).values.filter { members[$0.key] != nil }
  }

  /// Compares the replies of an entry with the schema.
  mutating func checkReplies(
    of entry: ResponseEntry, _ planned: [PlannedReply?], _ match: PlannedResponse.Match?
  ) {
    guard let schema = graphQLSchema, case .graphQL(let pattern) = entry.match else { return }
    let written = pattern.document.flatMap { try? GraphQLDocument(parsing: $0.value) }
    // What is wrong with the document has been reported; nothing can be made of it.
    let document = written.flatMap { $0.errors(in: schema).isEmpty ? $0 : nil }
    let operation = document?.operation(named: pattern.operation?.value)
    guard let kind = pattern.kind ?? operation?.kind, let root = schema.root(kind) else { return }
    let given = knownVariables(match, operation, schema)
    var check = GraphQLReplyCheck(schema: schema, document: document)
    for (reply, planned) in zip(entry.replies, planned) {
      guard let planned else { continue }
      switch (reply.body, planned.body) {
      case (.graphQL(let node?, _, _), .json(let body)):
        guard let value = body.member("data") else { continue }
        check.check(value, node, root)
        if let document, let operation, check.diagnostics.isEmpty {
          check.project(value, node, document, operation, given)
        }
      case (.graphQLStream(let entries), .graphQLStream(let events)):
        for entry in entries {
          guard case .next(let node) = entry.event,
            let event = events.first(where: { $0.range == entry.range }),
            case .next(let result) = event.content, result.member("path") == nil,
            let field = node.field("data"), let value = result.member("data")
          else {
            continue
          }
          check.check(value, field.value, root)
          if let document, let operation, check.diagnostics.isEmpty {
            check.project(value, field.value, document, operation, given)
          }
        }
      default: break
      }
    }
    for diagnostic in check.diagnostics { data.diagnostics.report(diagnostic) }
  }
}

extension PlannedData {
  /// True if it is a map.
  var isMap: Bool {
    switch self {
    case .value(.map), .map: true
    case .value, .text, .list: false
    }
  }

  /// A member of a map.
  func member(_ key: String) -> PlannedData? {
    switch self {
    case .value(.map(let members)): members[key].map(PlannedData.value)
    case .map(let members): members[key]
    case .value, .text, .list: nil
    }
  }
}

extension DataNode {
  /// A field of a map that an author wrote out.
  func field(_ name: String) -> DataField? {
    guard case .map(let fields) = content else { return nil }
    return fields.first { $0.key.value == name }
  }
}
