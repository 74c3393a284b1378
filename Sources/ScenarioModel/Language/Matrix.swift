/// `matrix:` one case for each row.
public struct Matrix: Sendable {
  /// One list of values of `matrix: { NAME: [ … ] }`.
  public struct Axis: Sendable {
    /// How expressions call it.
    public var name: Located<String>
    /// Its values; never empty.
    public var values: [Located<Value>]

    /// Creates an axis.
    public init(name: Located<String>, values: [Located<Value>]) {
      self.name = name
      self.values = values
    }
  }

  /// One map of a list: a row written out, or an entry of `include:` or `exclude:`.
  public struct Row: Sendable {
    /// One name and its value.
    public struct Cell: Sendable {
      /// How expressions call it.
      public var name: Located<String>
      /// Its value.
      public var value: Value

      /// Creates a cell.
      public init(name: Located<String>, value: Value) {
        self.name = name
        self.value = value
      }
    }

    /// The cells, in file order; never empty.
    public var cells: [Cell]
    /// Where the map begins.
    public var range: SourceRange
    /// The last line that belongs to it.
    public var lastLine: Int

    /// Creates a row.
    public init(cells: [Cell], range: SourceRange, lastLine: Int) {
      self.cells = cells
      self.range = range
      self.lastLine = lastLine
    }
  }

  /// Lists whose values are combined, each with each; empty for rows that are written out.
  public var axes: [Axis] = []
  /// Rows that are written out.
  public var rows: [Row] = []
  /// `include:` what is added to combinations, or stands beside them.
  public var include: [Row] = []
  /// `exclude:` combinations that are left out.
  public var exclude: [Row] = []
  /// Where the matrix stands.
  public var range: SourceRange

  /// Creates a matrix without rows.
  public init(range: SourceRange) {
    self.range = range
  }
}

/// `skip:` why a scenario is not run.
public struct SkipRule: Sendable {
  /// The reason, which reports show.
  public var reason: Located<String>
  /// `if:` whether it is skipped at all; `nil` is always.
  public var condition: DataNode?

  /// Creates a rule.
  public init(reason: Located<String>, condition: DataNode? = nil) {
    self.reason = reason
    self.condition = condition
  }
}
