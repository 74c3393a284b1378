internal import Foundations
internal import MockServer

/// The requests of a case in failures, a line each.
enum RequestLines {
  /// The largest number of lines.
  static let limit = 50

  /// The first of the requests, and how many more there are.
  static func of(_ requests: [RecordedRequest]) -> [String] {
    let lines = requests.prefix(limit).map {
      "\($0.time.description): \($0.summary) → \($0.outcome)"
    }
    return requests.count <= limit ? lines : lines + ["… \(requests.count - limit) more"]
  }
}
