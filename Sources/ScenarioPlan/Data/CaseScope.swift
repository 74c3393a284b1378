internal import OrderedCollections
public import ScenarioModel
import Synchronization

/// What a run knows outside of replies: the case's directory, and what steps have captured.
public struct CaseScope: RunScope, Sendable {
  /// The absolute path of the case's directory.
  public var directory: String
  /// What steps have captured.
  public var captures: CapturedTexts

  /// Creates a scope.
  public init(directory: String, captures: CapturedTexts = CapturedTexts()) {
    self.directory = directory
    self.captures = captures
  }

  /// The directory as the root `dir`, the captured texts as `capture`.
  public func value(of root: String) -> Value? {
    switch root {
    case "dir": .string(directory)
    case "capture": captures.value
    default: nil
    }
  }
}

/// The texts that the steps of one case have captured, by their names.
///
/// Steps write; the stand-in reads from its own thread when it makes a reply.
public final class CapturedTexts: Sendable {
  private let texts = Mutex<OrderedDictionary<String, Value>>([:])

  /// Creates a store without texts.
  public init() {}

  /// All texts as one map.
  var value: Value { .map(texts.withLock { $0 }) }

  /// Keeps a text; the last one of a name counts.
  public func keep(_ text: String, as name: String) {
    texts.withLock { $0[name] = .string(text) }
  }
}
