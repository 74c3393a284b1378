/// A page of section 2 of the Linux manual: the errors that it names, and the calls.
///
/// Names are in texts, with spaces between them, so that a page is read at a glance.
struct ManualPage: Sendable {
  /// The page's name, without its section.
  var name: String
  /// The calls that it describes, by their kernel names.
  var calls: [String]
  /// Errors that any program meets some day.
  var common = ""
  /// The errors that the environment can cause, but seldom does.
  var possible = ""
  /// EINTR, where it depends on the kind of the descriptor.
  var interrupted = ""
  /// Errors of descriptors in non-blocking mode.
  var nonBlocking = ""
  /// Errors of calls that are wrong or unusual in themselves.
  var caller = ""
  /// Errors that the kernel may return though the page does not say so.
  var unlisted = ""
  /// Pages whose errors hold here as well, because this page says so.
  var included: [String] = []
  /// Errors of the page that one of its calls cannot end with, by the call.
  var absent: [String: String] = [:]

  /// The errors with their circumstances.
  var rows: [DocumentedErrors.Row] {
    let texts: [(String, DocumentedErrors.Circumstance)] = [
      (common, .common), (possible, .possible), (interrupted, .interrupted),
      (nonBlocking, .nonBlocking), (caller, .caller), (unlisted, .unlisted),
    ]
    return texts.flatMap { text, circumstance in
      text.split(separator: " ").map {
        DocumentedErrors.Row(name: String($0), circumstance: circumstance)
      }
    }
  }

  /// All pages; the first one of a name is the one that others include.
  static let all: [ManualPage] =
    transfer + synchronization + names + attributes + memory + sockets + readiness + processes
    + messages + descriptors + system + systemRest
}
