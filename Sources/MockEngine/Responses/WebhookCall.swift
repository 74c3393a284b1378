package import Foundations
internal import Patterns
package import ScenarioPlan

/// A webhook, ready to be sent.
package struct WebhookCall: Sendable, Hashable {
  /// The name of the entry whose reply it follows.
  package var entry: String
  /// The method.
  package var method: String
  /// The URL as it is written.
  package var text: String
  /// The URL.
  package var url: WebhookURL
  /// Headers in order.
  package var headers: [IncomingRequest.Header]
  /// The body.
  package var body: [UInt8]
  /// The virtual time behind the instant at which the reply is due.
  package var delay: Nanoseconds
  /// The plan of the webhook.
  package var planned: PlannedWebhook
}

extension PlannedWebhook {
  /// Returns the webhook as the request wants it whose reply it follows.
  ///
  /// - Parameters:
  ///   - entry: the name of the entry that answers.
  ///   - use: the number of the request among those that the entry answers, from 1.
  ///   - due: when the reply is due, by the scenario's wall clock.
  ///   - scope: what its expressions may ask.
  /// - Throws: `RunScopeError` if an expression has no value, or one that cannot stand there.
  package func call(
    of entry: String, use: Int, behind due: WallInstant?, in scope: some RunScope
  ) throws(RunScopeError) -> WebhookCall {
    let delay = try computedDelay?.length(use: use, in: scope) ?? self.delay
    let scope = ClockScope(scope, at: due.map { $0 + delay })
    let text = try url.resolve(in: scope)
    let url: WebhookURL
    do {
      url = try WebhookURL(text)
    } catch {
      throw RunScopeError(error.message, at: range, help: error.help)
    }
    var fields: [IncomingRequest.Header] = []
    for header in headers {
      let value = try header.value.resolve(in: scope)
      guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        throw RunScopeError(
          "the value of the header \"\(header.name)\" contains a control character", at: range)
      }
      fields.append(.init(name: header.name, value: value))
    }
    let (bytes, type) = try content(in: scope)
    if let type, !fields.contains(where: { $0.name.lowercased() == "content-type" }) {
      fields.append(.init(name: "content-type", value: type))
    }
    return WebhookCall(
      entry: entry, method: method, text: text, url: url, headers: fields, body: bytes,
      delay: delay, planned: self)
  }

  private func content(
    in scope: some RunScope
  ) throws(RunScopeError) -> (bytes: [UInt8], type: String?) {
    switch body {
    case .empty: ([], nil)
    case .json(let data):
      (Array(try data.resolve(in: scope).jsonText().utf8), "application/json")
    case .text(let text): (Array(try text.resolve(in: scope).utf8), "text/plain; charset=utf-8")
    }
  }
}
