/// What the files bring that `use:` names: a fallback, behind everything that the file itself says.
public struct SharedParts: Sendable {
  /// A file that `use:` names, directly or through others.
  public struct File: Sendable {
    /// Its path as messages show it.
    public var path: String
    /// The folder that paths in it count from; empty is the runner's own.
    public var folder: String
    /// The entry of `use:` by which it came.
    public var usedAt: SourceRange

    /// Creates a file.
    public init(path: String, folder: String, usedAt: SourceRange) {
      self.path = path
      self.folder = folder
      self.usedAt = usedAt
    }
  }

  /// The files, each once, in the order in which they were met.
  public var files: [File] = []
  /// `target:` of the one file that has it.
  public var target: TargetSettings?
  /// `targets:`, each name once.
  public var targets: [NamedTarget] = []
  /// `factories:`, each name once.
  public var factories: [FactoryDefinition] = []
  /// `sequences:`, each name once.
  public var sequences: [SequenceDefinition] = []
  /// `responses:`, in the order of the files.
  public var responses: [ResponseEntry] = []
  /// `chaos:`, in the order of the files.
  public var chaos: [ChaosEntry] = []
  /// `secrets:` of each file that has some.
  public var secrets: [SecretSettings] = []

  /// Whether anything is missing because a file could not be read, or not as a whole.
  public var isPartial = false

  /// Creates parts that bring nothing.
  public init() {}
}
