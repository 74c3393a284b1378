package import Foundations

/// `matrix:` one case for each row.
package struct Matrix: Sendable {
  /// One list of values of `matrix: { NAME: [ … ] }`.
  package struct Axis: Sendable {
    /// The name in expressions.
    package var name: Located<String>
    /// Its values; never empty.
    package var values: [Located<Value>]

    /// Creates an axis.
    package init(name: Located<String>, values: [Located<Value>]) {
      self.name = name
      self.values = values
    }
  }

  /// One map of a list: a row written out, or an entry of `include:` or `exclude:`.
  package struct Row: Sendable {
    /// One name and its value.
    package struct Cell: Sendable {
      /// The name in expressions.
      package var name: Located<String>
      /// Its value.
      package var value: Value

      /// Creates a cell.
      package init(name: Located<String>, value: Value) {
        self.name = name
        self.value = value
      }
    }

    /// The cells, in file order; never empty.
    package var cells: [Cell]
    /// The place of the map's beginning.
    package var range: SourceRange
    /// The last line that belongs to it.
    package var lastLine: Int

    /// Creates a row.
    package init(cells: [Cell], range: SourceRange, lastLine: Int) {
      self.cells = cells
      self.range = range
      self.lastLine = lastLine
    }
  }

  /// Lists whose values are combined, each with each; empty for rows that are written out.
  package var axes: [Axis] = []
  /// Rows that are written out, or are in the file.
  package var rows: [Row] = []
  /// `$file:` the file that contains the rows.
  package var source: Located<String>?
  /// The path of that file, once it has been read; `nil` until then, and where it could not be.
  package var readPath: String?
  /// `include:` rows that extend combinations, or are added to them.
  package var include: [Row] = []
  /// `exclude:` combinations that are left out.
  package var exclude: [Row] = []
  /// The place of the matrix.
  package var range: SourceRange

  /// Creates a matrix without rows.
  package init(range: SourceRange) {
    self.range = range
  }
}

/// `skip:` why a scenario is not run.
package struct SkipRule: Sendable {
  /// The reason, which reports show.
  package var reason: Located<String>
  /// `if:` whether it is skipped at all; `nil` is always.
  package var condition: DataNode?

  /// Creates a rule.
  package init(reason: Located<String>, condition: DataNode? = nil) {
    self.reason = reason
    self.condition = condition
  }
}
