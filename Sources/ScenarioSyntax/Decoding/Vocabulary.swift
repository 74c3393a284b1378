internal import Foundations
internal import ScenarioModel

/// The keys of the language, map by map: what the decoder knows, and what the schema must say.
enum Vocabulary {
  /// What a scenario may say, at the top of a file and in an entry of `scenarios:`.
  static let scenario = [
    "allow_readonly", "always", "build", "chaos", "clock", "entropy", "expect", "explore",
    "factories", "files",
    "matrix", "name", "network", "only", "responses", "seed", "sequences", "skip", "steps", "tags",
    "target", "targets", "timeout",
    "exclusive", "grace", "leak", "retries",
  ]
  static let file = scenario + ["folder", "scenarios", "secrets", "use", "version"]
  static let secrets = ["env", "matches"]
  static let skip = ["if", "reason"]

  static let target = ["command", "env", "files", "limits", "ready", "stdin", "stop", "terminal"]
  static let ready = ["error_output", "file", "http", "notify", "output", "port", "timeout"]
  static let readyHTTP = ["path", "port", "status"]
  static let stopSettings = ["grace", "signal"]
  static let limits = ["files", "memory", "processes"]
  static let encodings = ["csv", "json", "text", "yaml"]
  static let standardInput = encodings
  static let fileFixtureContents = encodings + ["file", "kind", "link"]
  static let fileFixture = fileFixtureContents + ["mode"]
  static let files = ["outside"]
  static let clock = ["at", "escapes", "files", "flow", "settable"]

  static let network = [
    "graphql", "hosts", "import", "loopback", "mode", "redact", "trust", "unmatched", "unused",
    "upstreams",
  ]
  static let trust = ["variables"]
  static let graphQL = ["init", "persisted", "schema", "url"]
  static let graphQLInitialisation = ["ack", "payload", "within"]
  static let recording = ["responses", "version"]
  static let response = ["name", "replies", "reply", "request", "then"]
  static let graphQLKinds = GraphQLOperationKind.allCases.map(\.rawValue) + ["operation"]
  static let graphQLResponse =
    graphQLKinds + ["document", "name", "replies", "reply", "then", "url", "variables"]
  static let hostResponse = ["fault", "host", "name", "times"]
  static let request = [
    "body", "cookies", "form", "from", "headers", "host", "json", "method", "parts", "path",
    "query",
    "url",
  ]
  static let requestOrigin = ["process"]
  static let exactBytes = ["base64", "file"]
  static let part = exactBytes + ["content_type", "filename", "json", "text"]
  static let replyBodies = ["base64", "file", "json", "text"]
  static let shortReply =
    replyBodies + streamedBodies + wire + ["after", "fault", "headers", "reason", "status"]
  static let reply = shortReply + ["times"]
  static let graphQLReplyBody = ["data", "errors", "extensions"]
  static let graphQLReply =
    graphQLReplyBody
    + wire + ["after", "fault", "headers", "reason", "status", "stream", "times"]
  static let graphQLStreamEvents = ["close", "complete", "error", "next"]
  static let graphQLStreamEntry = graphQLStreamEvents + ["after"]
  static let graphQLError = ["extensions", "locations", "message", "path"]
  static let graphQLResult =
    graphQLReplyBody + ["completed", "incremental", "items", "label", "path", "pending"]
  static let replyFault = ["slow", "truncate"]
  static let connectionFault = ["dns", "tls"]

  /// The keys of a step that say what it does; `expect` alone is an action, too.
  static let actions = [
    "apply", "build", "capture", "close", "exec", "freeze", "jump", "rate", "resize", "respond",
    "return", "revert", "run", "send", "settle", "signal", "start", "stop", "suspend", "tick",
    "travel", "wait",
    "write",
  ]
  static let step = actions + ["expect", "name", "target"]
  static let launch = ["args", "target"]
  static let send = ["key"]
  static let signal = ["name", "process"]
  static let exec = ["capture", "command", "env", "stdin"]
  static let write = fileFixture + ["path"]
  static let travelBlock = ["during", "to"]
  static let jumpBlock = ["by", "during"]
  static let freezeBlock = ["at", "during"]
  static let rateBlock = ["during", "to"]
  static let wait = ["error_output", "output", "screen"]
  static let capture = ["error_json", "error_output", "json", "output"]

  static let expect = [
    "borne", "chaos", "clock", "elapsed", "exit", "files", "processes", "requests", "screen",
    "signal", "stderr", "stdout", "targets", "timers",
  ]
  static let targetExpect = ["exit", "screen", "signal", "stderr", "stdout"]
  static let timers = ["at_least", "call", "count", "process", "waits"]
  static let clockCondition = ["between"]
  static let requestCondition = ["apart", "count", "request"]
  static let requestOrder = ["order"]
  static let fileStates = ["absent", "exists"]
  static let fileProperties = ["kind", "link", "mode", "sha256"]
  static let treeCondition = ["folder", "ignore", "modes", "only", "snapshot"]

  static let textMatcher = Matcher.textKeys
  static let outputMatcher = Matcher.outputKeys
  static let numberMatcher = [
    "all_of", "any_of", "between", "equals", "greater_than", "less_than", "not", "one_of",
  ]
  static let durationMatcher = numberMatcher
  static let dataMatcher = Matcher.dataKeys
  static let jsonMatcher = ["contains", "equals", "schema"]
}
