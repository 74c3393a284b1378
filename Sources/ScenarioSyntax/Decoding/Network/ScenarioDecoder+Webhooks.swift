internal import Foundations
internal import ScenarioModel

/// Requests to targets of the case, behind a reply.
extension ScenarioDecoder {
  /// `webhooks:` of a reply.
  mutating func decodeWebhooks(_ node: YAMLNode) -> [Webhook]? {
    guard let nodes = decodeNonEmptyList(node, "webhooks") else { return nil }
    let webhooks = nodes.compactMap { node in
      decode(
        node, as: Grammar.webhook, subject: "a webhook",
        from: Webhook(request: Self.noRequest(at: node.range), range: node.range))
    }
    return webhooks.count == nodes.count ? webhooks : nil
  }

  private static func noRequest(at range: SourceRange) -> WebhookRequest {
    WebhookRequest(url: DataNode(.literal(.string("")), at: range))
  }

  /// `request:` of a webhook.
  mutating func decodeWebhookRequest(_ node: YAMLNode) -> WebhookRequest? {
    let example = "write { method: POST, url: \"http://hook.test/paid\" }"
    guard case .mapping = node.content else {
      reportType(node, "request", "must be a map", help: example)
      return nil
    }
    var request = Self.noRequest(at: node.range)
    guard
      let reader = decode(
        node, as: Grammar.webhookRequest, subject: "the request of a webhook", into: &request)
    else { return nil }
    var isComplete =
      reader["url"] != nil && request.url.content != .literal(.string(""))
      && (reader["method"] == nil) == (request.method == nil)
    if let url = reader["url"], case .scalar(let scalar) = url.content, scalar.text.isEmpty {
      report(
        "\"url\" is empty", code: .empty, at: url.range,
        help: "write the URL of a target, such as \"http://hook.test/paid\"")
    }
    if let member = single(among: Grammar.webhookBodies, in: reader) {
      let body: WebhookRequest.Body? =
        member.key.value == "json"
        ? decodeData(member.value).map { .json($0) }
        : decodeTemplate(member.value, "body").map { .text($0) }
      isComplete = isComplete && body != nil
      request.body = body ?? .empty
    }
    return isComplete ? request : nil
  }

  /// `retries:` of a webhook.
  mutating func decodeWebhookRetries(_ node: YAMLNode) -> Webhook.Retries? {
    guard case .mapping = node.content else {
      return decodeCount(node, "retries", in: 0...Grammar.webhookRetryLimit).map {
        Webhook.Retries(times: $0)
      }
    }
    return decode(
      node, as: Grammar.webhookRetries, subject: "\"retries\"", from: Webhook.Retries())
  }
}
