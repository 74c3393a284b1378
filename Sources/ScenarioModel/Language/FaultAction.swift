/// `provide:` what an affected call gives instead.
public struct FaultAction: Sendable {
  /// The kinds of providers.
  public indirect enum Content: Sendable {
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
    /// `lie`: success is told, and nothing is done.
    case lie
    /// Toxics, `{ dns: … }` and `{ tls: … }`, in order: of links alone.
    case link([LinkFault])
    /// `full`, `read_only`, `{ free: … }`, `{ quota: … }`: of a disk.
    case disk(DiskFault)
    /// `{ kill: tree, lose: unsynced }`; no scope where a disk alone is named.
    case crash(KillScope?, UnsyncedLoss)
    /// `{ stop: 5s }`: the process stands still.
    case stop(Nanoseconds)
    /// `{ restart: { after: 2s } }`: the target is killed and started again.
    case restart(after: Nanoseconds)
  }

  /// A value written out.
  public enum Constant: Sendable, Hashable {
    /// A number.
    case number(Int64)
    /// A floating point number, always finite.
    case fraction(Double)
    /// Text.
    case text(String)
  }

  /// What `compute:` says.
  public struct Computation: Sendable {
    /// `result:`, or the text alone.
    public var result: Located<String>?
    /// `args:` expressions that replace arguments; the call is made then.
    public var arguments: [(index: Located<Int>, expression: Located<String>)]
    /// `bytes:` an expression for each byte that is transferred.
    public var bytes: Located<String>?

    /// Creates a computation.
    public init(
      result: Located<String>?,
      arguments: [(index: Located<Int>, expression: Located<String>)] = []
    ) {
      self.result = result
      self.arguments = arguments
    }
  }

  /// Among which errors chance decides.
  public enum RandomErrors: Sendable {
    /// Those that the manual page of the call names.
    case documented
    /// These.
    case among([Located<String>])
  }

  /// One entry of `match:`.
  public struct Branch: Sendable {
    /// `where:` which calls.
    public var conditions: ChaosConditions
    /// `provide:` what they give.
    public var provider: FaultAction

    /// Creates a branch.
    public init(conditions: ChaosConditions, provider: FaultAction) {
      self.conditions = conditions
      self.provider = provider
    }
  }

  /// The provider.
  public var content: Content
  /// Where it stands.
  public var range: SourceRange

  /// Creates a provider.
  public init(_ content: Content, at range: SourceRange) {
    self.content = content
    self.range = range
  }
}

/// Who is killed.
public enum KillScope: String, Sendable, Hashable, Codable, CaseIterable {
  /// The process that makes the call.
  case process
  /// All processes of the target.
  case tree
}

/// How much of a transfer takes place.
public enum PartialAmount: Sendable, Hashable, Codable {
  /// At most so many bytes.
  case bytes(Int)
  /// This part of what was asked for, 0 … 1; one byte at least.
  case fraction(Double)

  /// How much of `size` bytes: one byte at least, never more than was asked for.
  public func amount(of size: Int) -> Int {
    guard size > 0 else { return size }
    switch self {
    case .bytes(let count): return min(max(count, 1), size)
    case .fraction(let part):
      let product = Double(size) * min(max(part, 0), 1)
      return min(max(Int(product), 1), size)
    }
  }
}

/// How the bytes of a transfer are spoiled.
public enum Corruption: Sendable, Hashable, Codable {
  /// So many bits are turned over, at places of chance or within the byte `at`.
  case flipBits(Int, at: Int?)
  /// So many bytes become zero, from a place of chance or from `at`.
  case zero(Int, at: Int?)
  /// The end is lost: of what was read the rest is gone, of what was written it never arrives.
  case truncate(PartialAmount)
}
