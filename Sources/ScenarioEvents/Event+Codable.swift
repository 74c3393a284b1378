internal import Foundations

// The form of an event in JSON: a flat object with the kind's name behind `event` and what the kind
// carries behind `data`. The synthesised form would publish the compiler's names for unlabelled values.

extension Event {
  private enum Key: String, CodingKey {
    case event
    case realTime
    case virtualTime
    case elapsed
    case scenario
    case process
    case data
  }

  /// Writes the object that `schemas/event.schema.json` describes.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(kind.name, forKey: .event)
    try container.encode(realTime, forKey: .realTime)
    try container.encodeIfPresent(virtualTime, forKey: .virtualTime)
    try container.encodeIfPresent(elapsed, forKey: .elapsed)
    try container.encodeIfPresent(scenario, forKey: .scenario)
    try container.encodeIfPresent(process, forKey: .process)
    try kind.encode(to: container.superEncoder(forKey: .data))
  }

  /// Reads the object that `schemas/event.schema.json` describes.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let name = try container.decode(Kind.Name.self, forKey: .event)
    self.init(
      realTime: try container.decode(Nanoseconds.self, forKey: .realTime),
      virtualTime: try container.decodeIfPresent(WallInstant.self, forKey: .virtualTime),
      scenario: try container.decodeIfPresent(String.self, forKey: .scenario),
      process: try container.decodeIfPresent(Int32.self, forKey: .process),
      kind: try Kind(named: name, from: container.superDecoder(forKey: .data)))
    elapsed = try container.decodeIfPresent(Nanoseconds.self, forKey: .elapsed)
  }
}

extension Event.Kind {
  /// The names of the kinds, as JSON has them.
  package enum Name: String, Sendable, Hashable, Codable, CaseIterable {
    /// `runStarted`
    case runStarted
    /// `caseStarted`
    case caseStarted
    /// `stepStarted`
    case stepStarted
    /// `stepFinished`
    case stepFinished
    /// `processStarted`
    case processStarted
    /// `processEnded`
    case processEnded
    /// `clockMoved`
    case clockMoved
    /// `clockSet`
    case clockSet
    /// `requestReceived`
    case requestReceived
    /// `exchanged`
    case exchanged
    /// `faultInjected`
    case faultInjected
    /// `limitStruck`
    case limitStruck
    /// `waitEscaped`
    case waitEscaped
    /// `outOfReach`
    case outOfReach
    /// `changedOutside`
    case changedOutside
    /// `timeAccount`
    case timeAccount
    /// `networkAccount`
    case networkAccount
    /// `chaosAccount`
    case chaosAccount
    /// `faultTried`
    case faultTried
    /// `explored`
    case explored
    /// `warning`
    case warning
    /// `failed`
    case failed
    /// `caseFinished`
    case caseFinished
    /// `runFinished`
    case runFinished
    /// `processBorn`
    case processBorn
    /// `waited`
    case waited
    /// `outputWritten`
    case outputWritten
    /// `worldUntold`
    case worldUntold
    /// `leaked`
    case leaked
    /// `signalled`
    case signalled
    /// `captured`
    case captured
    /// `hostConnection`
    case hostConnection
    /// `partitionChanged`
    case partitionChanged
    /// `webhookSent`
    case webhookSent
    /// `portMoved`
    case portMoved
    /// `message`
    case message
  }

  /// The kind's name.
  package var name: Name {
    switch self {
    case .runStarted: .runStarted
    case .caseStarted: .caseStarted
    case .stepStarted: .stepStarted
    case .stepFinished: .stepFinished
    case .processStarted: .processStarted
    case .processEnded: .processEnded
    case .clockMoved: .clockMoved
    case .clockSet: .clockSet
    case .requestReceived: .requestReceived
    case .exchanged: .exchanged
    case .faultInjected: .faultInjected
    case .limitStruck: .limitStruck
    case .waitEscaped: .waitEscaped
    case .outOfReach: .outOfReach
    case .changedOutside: .changedOutside
    case .timeAccount: .timeAccount
    case .networkAccount: .networkAccount
    case .chaosAccount: .chaosAccount
    case .faultTried: .faultTried
    case .explored: .explored
    case .warning: .warning
    case .failed: .failed
    case .caseFinished: .caseFinished
    case .runFinished: .runFinished
    case .processBorn: .processBorn
    case .waited: .waited
    case .outputWritten: .outputWritten
    case .worldUntold: .worldUntold
    case .leaked: .leaked
    case .signalled: .signalled
    case .captured: .captured
    case .hostConnection: .hostConnection
    case .partitionChanged: .partitionChanged
    case .webhookSent: .webhookSent
    case .portMoved: .portMoved
    case .message: .message
    }
  }

  private enum Key: String, CodingKey {
    case index
    case name
    case range
    case duration
    case arguments
    case trustVariables
    case exitCode
    case signal
    case by
    case reason
    case systemCall
    case error
    case message
  }

  /// Writes what the kind carries, without its name.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .runStarted(let description): try description.encode(to: encoder)
    case .caseStarted(let description): try description.encode(to: encoder)
    case .requestReceived(let description): try description.encode(to: encoder)
    case .exchanged(let description): try description.encode(to: encoder)
    case .faultInjected(let fault): try fault.encode(to: encoder)
    case .limitStruck(let strike): try strike.encode(to: encoder)
    case .waitEscaped(let wait): try wait.encode(to: encoder)
    case .outOfReach(let process): try process.encode(to: encoder)
    case .changedOutside(let change): try change.encode(to: encoder)
    case .timeAccount(let account): try account.encode(to: encoder)
    case .networkAccount(let account): try account.encode(to: encoder)
    case .chaosAccount(let account): try account.encode(to: encoder)
    case .faultTried(let trial): try trial.encode(to: encoder)
    case .explored(let account): try account.encode(to: encoder)
    case .failed(let failure): try failure.encode(to: encoder)
    case .caseFinished(let result): try result.encode(to: encoder)
    case .runFinished(let result): try result.encode(to: encoder)
    case .processBorn(let birth): try birth.encode(to: encoder)
    case .waited(let span): try span.encode(to: encoder)
    case .outputWritten(let piece): try piece.encode(to: encoder)
    case .worldUntold(let unreported): try unreported.encode(to: encoder)
    case .leaked(let leak): try leak.encode(to: encoder)
    case .signalled(let delivery): try delivery.encode(to: encoder)
    case .captured(let capture): try capture.encode(to: encoder)
    case .hostConnection(let connection): try connection.encode(to: encoder)
    case .partitionChanged(let partition): try partition.encode(to: encoder)
    case .webhookSent(let webhook): try webhook.encode(to: encoder)
    case .portMoved(let move): try move.encode(to: encoder)
    case .message(let message): try message.encode(to: encoder)
    case .stepStarted, .stepFinished, .processStarted, .processEnded, .clockMoved,
      .clockSet, .warning:
      var container = encoder.container(keyedBy: Key.self)
      try encodeFields(to: &container)
    }
  }

  private func encodeFields(to container: inout KeyedEncodingContainer<Key>) throws {
    switch self {
    case .runStarted, .caseStarted, .requestReceived, .exchanged, .faultInjected, .waitEscaped,
      .outOfReach, .changedOutside, .timeAccount, .networkAccount, .chaosAccount, .limitStruck,
      .faultTried,
      .explored, .failed, .caseFinished, .runFinished, .processBorn, .waited, .outputWritten,
      .worldUntold, .leaked, .signalled, .captured, .hostConnection, .partitionChanged,
      .webhookSent, .portMoved, .message:
      break
    case .stepStarted(let index, let name, let range):
      try container.encode(index, forKey: .index)
      try container.encode(name, forKey: .name)
      try container.encode(range, forKey: .range)
    case .stepFinished(let index, let duration):
      try container.encode(index, forKey: .index)
      try container.encode(duration, forKey: .duration)
    case .processStarted(let arguments, let trustVariables):
      try container.encode(arguments, forKey: .arguments)
      if !trustVariables.isEmpty { try container.encode(trustVariables, forKey: .trustVariables) }
    case .processEnded(let exitCode, let signal):
      try container.encodeIfPresent(exitCode, forKey: .exitCode)
      try container.encodeIfPresent(signal, forKey: .signal)
    case .clockMoved(let length, let reason):
      try container.encode(length, forKey: .by)
      try container.encode(reason, forKey: .reason)
    case .clockSet(let length, let systemCall, let error):
      try container.encode(length, forKey: .by)
      try container.encode(systemCall, forKey: .systemCall)
      try container.encodeIfPresent(error, forKey: .error)
    case .warning(let message, let range):
      try container.encode(message, forKey: .message)
      try container.encodeIfPresent(range, forKey: .range)
    }
  }

  /// Refuses: a kind alone does not say which one it is.
  package init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath,
        debugDescription: "a kind is read as a part of its event, which names it"))
  }

  /// Reads what a kind carries.
  init(named name: Name, from decoder: any Decoder) throws {
    switch name {
    case .runStarted: self = .runStarted(try RunDescription(from: decoder))
    case .caseStarted: self = .caseStarted(try CaseDescription(from: decoder))
    case .requestReceived: self = .requestReceived(try RequestDescription(from: decoder))
    case .exchanged: self = .exchanged(try ExchangeDescription(from: decoder))
    case .faultInjected: self = .faultInjected(try FaultDescription(from: decoder))
    case .limitStruck: self = .limitStruck(try LimitFault(from: decoder))
    case .waitEscaped: self = .waitEscaped(try EscapedWait(from: decoder))
    case .outOfReach: self = .outOfReach(try ProcessOutOfReach(from: decoder))
    case .changedOutside: self = .changedOutside(try OutsideChange(from: decoder))
    case .timeAccount: self = .timeAccount(try TimeAccount(from: decoder))
    case .networkAccount: self = .networkAccount(try NetworkAccount(from: decoder))
    case .chaosAccount: self = .chaosAccount(try ChaosAccount(from: decoder))
    case .faultTried: self = .faultTried(try FaultTrial(from: decoder))
    case .explored: self = .explored(try ExplorationAccount(from: decoder))
    case .failed: self = .failed(try Failure(from: decoder))
    case .caseFinished: self = .caseFinished(try CaseResult(from: decoder))
    case .runFinished: self = .runFinished(try RunResult(from: decoder))
    case .processBorn: self = .processBorn(try ProcessBirth(from: decoder))
    case .waited: self = .waited(try WaitSpan(from: decoder))
    case .outputWritten: self = .outputWritten(try OutputPiece(from: decoder))
    case .worldUntold: self = .worldUntold(try DroppedEvents(from: decoder))
    case .leaked: self = .leaked(try Leak(from: decoder))
    case .signalled: self = .signalled(try SignalDelivery(from: decoder))
    case .captured: self = .captured(try CapturedText(from: decoder))
    case .hostConnection: self = .hostConnection(try HostConnectionDescription(from: decoder))
    case .partitionChanged: self = .partitionChanged(try PartitionDescription(from: decoder))
    case .webhookSent: self = .webhookSent(try WebhookDescription(from: decoder))
    case .portMoved: self = .portMoved(try PortMoveDescription(from: decoder))
    case .message: self = .message(try MessageDescription(from: decoder))
    case .stepStarted, .stepFinished, .processStarted, .processEnded, .clockMoved,
      .clockSet, .warning:
      self = try Event.Kind.decodeFields(name, from: decoder.container(keyedBy: Key.self))
    }
  }

  private static func decodeFields(
    _ name: Name, from container: KeyedDecodingContainer<Key>
  ) throws -> Event.Kind {
    switch name {
    case .stepStarted:
      .stepStarted(
        index: try container.decode(Int.self, forKey: .index),
        name: try container.decode(String.self, forKey: .name),
        range: try container.decode(SourceRange.self, forKey: .range))
    case .stepFinished:
      .stepFinished(
        index: try container.decode(Int.self, forKey: .index),
        duration: try container.decode(Nanoseconds.self, forKey: .duration))
    case .processStarted:
      .processStarted(
        arguments: try container.decode([String].self, forKey: .arguments),
        trustVariables: try container.decodeIfPresent([String].self, forKey: .trustVariables)
          ?? [])
    case .processEnded:
      .processEnded(
        exitCode: try container.decodeIfPresent(Int32.self, forKey: .exitCode),
        signal: try container.decodeIfPresent(String.self, forKey: .signal))
    case .clockMoved:
      .clockMoved(
        by: try container.decode(Nanoseconds.self, forKey: .by),
        reason: try container.decode(String.self, forKey: .reason))
    case .clockSet:
      .clockSet(
        by: try container.decode(Nanoseconds.self, forKey: .by),
        systemCall: try container.decode(String.self, forKey: .systemCall),
        error: try container.decodeIfPresent(String.self, forKey: .error))
    case .warning:
      .warning(
        try container.decode(String.self, forKey: .message),
        range: try container.decodeIfPresent(SourceRange.self, forKey: .range))
    case .runStarted, .caseStarted, .requestReceived, .exchanged, .faultInjected, .waitEscaped,
      .outOfReach, .changedOutside, .timeAccount, .networkAccount, .chaosAccount, .limitStruck,
      .faultTried,
      .explored, .failed, .caseFinished, .runFinished, .processBorn, .waited, .outputWritten,
      .worldUntold, .leaked, .signalled, .captured, .hostConnection, .partitionChanged,
      .webhookSent, .portMoved, .message:
      throw DecodingError.dataCorruptedError(
        forKey: .name, in: container, debugDescription: "\(name) has no fields of its own")
    }
  }
}
