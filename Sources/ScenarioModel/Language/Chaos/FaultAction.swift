package import Foundations

/// `provide:` what an affected call gives instead.
package struct FaultAction: Sendable {
  /// The kinds of providers.
  package indirect enum Content: Sendable {
    /// `original`: the real call.
    case original
    /// `{ constant: 7 }`, `{ constant: -1, errno: EAGAIN }`
    case constant(Constant, errno: Located<String>?)
    /// `nil`: 0, and the call is not made.
    case nothing
    /// `{ compute: … }`
    case compute(Computation)
    /// `{ exec: [PROGRAM, …] }`, `{ exec: { command: [PROGRAM, …], at: after } }`
    case execute([Located<String>], isAfter: Bool)
    /// `{ random: [0, 99] }`
    case randomNumber(ClosedRange<Int64>)
    /// `{ random: { error: documented } }`, or one of a list.
    case randomError(RandomErrors)
    /// `{ error: ENOSPC }`
    case error(Located<String>)
    /// `{ signal: SEGV }`
    case signal(Located<String>, isAfter: Bool, then: FaultAction?)
    /// `{ exit: 3 }`
    case exit(Int32)
    /// `{ kill: process }`
    case kill(KillScope)
    /// `{ sequence: [ … ] }`
    case sequence([FaultAction])
    /// `{ match: [ … ], else: … }`
    case match([Branch], otherwise: FaultAction?)
    /// `{ delay: 3s }`, of a length between two.
    case delay(from: Nanoseconds, to: Nanoseconds, then: FaultAction?)
    /// `hang`
    case hang
    /// `{ short: … }`
    case short(PartialAmount)
    /// `{ corrupt: … }`
    case corrupt(Corruption)
    /// `lie`: reports success, and does nothing.
    case lie
    /// Toxics, `{ dns: … }` and `{ tls: … }`, in order: of links alone.
    case link([LinkFault])
    /// `full`, `read_only`, `{ free: … }`, `{ quota: … }`: of a disk.
    case disk(DiskFault)
    /// `{ kill: tree, lose: unsynced }`; no scope where a disk alone is named.
    case crash(KillScope?, UnsyncedLoss)
    /// `{ pause: 5s }`: the process is stopped.
    case stop(Nanoseconds)
    /// `{ restart: { after: 2s } }`: the target is killed and started again.
    case restart(after: Nanoseconds)
  }

  /// A value written out.
  package enum Constant: Sendable, Hashable {
    /// A number.
    case number(Int64)
    /// A floating point number, always finite.
    case fraction(Double)
    /// Text.
    case text(String)
  }

  /// The values of `compute:`.
  package struct Computation: Sendable {
    /// `result:`, or the text alone.
    package var result: Located<String>?
    /// `args:` expressions that replace arguments; the call is made then.
    package var arguments: [(index: Located<Int>, expression: Located<String>)]
    /// `bytes:` an expression for each byte that is transferred.
    package var bytes: Located<String>?

    /// Creates a computation.
    package init(
      result: Located<String>?,
      arguments: [(index: Located<Int>, expression: Located<String>)] = []
    ) {
      self.result = result
      self.arguments = arguments
    }
  }

  /// Among which errors chance decides.
  package enum RandomErrors: Sendable {
    /// The errors that the manual page of the call names.
    case documented
    /// These.
    case among([Located<String>])
  }

  /// One entry of `match:`.
  package struct Branch: Sendable {
    /// `where:` which calls.
    package var conditions: WrittenConditions
    /// `provide:` what they give.
    package var provider: FaultAction

    /// Creates a branch.
    package init(conditions: WrittenConditions, provider: FaultAction) {
      self.conditions = conditions
      self.provider = provider
    }
  }

  /// The provider.
  package var content: Content
  /// The place in the file.
  package var range: SourceRange

  /// Creates a provider.
  package init(_ content: Content, at range: SourceRange) {
    self.content = content
    self.range = range
  }
}

/// The processes that are killed.
package enum KillScope: String, Sendable, Hashable, Codable, CaseIterable {
  /// The process that makes the call.
  case process
  /// The whole process tree of the target.
  case tree
}

/// The part of a transfer that takes place.
package enum PartialAmount: Sendable, Hashable, Codable {
  /// The first bytes, so many at most.
  case bytes(Int)
  /// This part of what was asked for, 0 … 1; one byte at least.
  case fraction(Double)

  /// Returns the part of `size` bytes: one byte at least, never more than was asked for.
  package func amount(of size: Int) -> Int {
    guard size > 0 else { return size }
    switch self {
    case .bytes(let count): return min(max(count, 1), size)
    case .fraction(let part):
      let product = Double(size) * min(max(part, 0), 1)
      return min(max(Int(product), 1), size)
    }
  }
}

/// The way in which the bytes of a transfer are corrupted.
package enum Corruption: Sendable, Hashable, Codable {
  /// Flips so many bits, at random places or within the byte `at`.
  case flipBits(Int, at: Int?)
  /// Zeroes so many bytes, from a random place or from `at`.
  case zero(Int, at: Int?)
  /// The end is lost: of what was read the rest is gone, of what was written it never arrives.
  case truncate(PartialAmount)
}
