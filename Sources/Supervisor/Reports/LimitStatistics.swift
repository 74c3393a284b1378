/// The use that the target made of one of its limits.
package struct LimitAccount: Sendable, Hashable {
  /// A resource with a limit.
  package enum Resource: String, Sendable, Hashable {
    /// Bytes of private writable memory in a process.
    case memory
    /// Descriptors of a process.
    case files
    /// Processes and threads of the target.
    case processes
  }

  /// The resource.
  package var resource: Resource
  /// The limit.
  package var limit: Int
  /// The number of calls that it has made fail.
  package var struck: Int
  /// The first of these calls.
  package var systemCall: String
  /// The program that made it.
  package var program: String
}

/// The limits that calls of the target have met.
struct LimitStatistics: Sendable {
  private(set) var accounts: [LimitAccount] = []
  private var reported: Set<Reported> = []

  private struct Reported: Hashable {
    var resource: LimitAccount.Resource
    var process: Int
  }

  /// The largest number of failures that are reported; the account counts all.
  private static let reportLimit = 100

  /// Counts a call that failed at a limit; true for the first one in each process.
  mutating func strike(
    _ resource: LimitAccount.Resource, limit: Int, by systemCall: String, in program: String,
    process: Int
  ) -> Bool {
    if let index = accounts.firstIndex(where: { $0.resource == resource }) {
      accounts[index].struck &+= 1
    } else {
      accounts.append(
        LimitAccount(
          resource: resource, limit: limit, struck: 1, systemCall: systemCall, program: program))
    }
    guard reported.count < Self.reportLimit else { return false }
    return reported.insert(Reported(resource: resource, process: process)).inserted
  }
}
