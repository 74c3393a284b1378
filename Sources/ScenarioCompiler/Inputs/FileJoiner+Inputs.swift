internal import Foundations
internal import OrderedCollections
internal import ScenarioModel
internal import ScenarioSyntax

extension FileJoiner {
  /// Decodes the parts of an included file that its own variables decide; it has no rows.
  mutating func settle(_ file: inout ScenarioFile) {
    guard let late = file.late else { return }
    var bag = DiagnosticBag()
    let values = VariableValues(file.defaults.variables, inputs)
    let result = LateEvaluation(variables: values, row: nil, scenario: file.path).read(late, &bag)
    file.defaults = result.body.keepingEarly(of: file.defaults)
    for mistake in bag.list { report(mistake) }
  }

  /// Reads the files that contain rows of matrices.
  mutating func readMatrices(of file: inout ScenarioFile) {
    let folder = file.pathFolder ?? PathText.folder(of: file.path)
    if file.defaults.matrix?.source != nil { readRows(of: &file.defaults.matrix, in: folder) }
    for index in file.scenarios.indices where file.scenarios[index].body.matrix?.source != nil {
      readRows(of: &file.scenarios[index].body.matrix, in: folder)
    }
  }

  private mutating func readRows(of matrix: inout Matrix?, in folder: String) {
    guard let source = matrix?.source else { return }
    let path = PathText.join(folder, source.value)
    guard let bytes = bytes(of: path, at: source) else { return }
    let (value, mistakes) = DataDocument.parse(bytes: bytes, path: path)
    for var mistake in mistakes {
      mistake.notes.append(.init("the file of rows is named here", at: source.range))
      report(mistake)
    }
    guard let value, !mistakes.contains(where: { $0.severity == .error }) else { return }
    do throws(Diagnostic) {
      matrix?.rows = try Self.rows(of: value, path: path, at: source.range)
      matrix?.readPath = path
    } catch {
      report(error)
    }
  }

  private static func rows(
    of value: Value, path: String, at range: SourceRange
  ) throws(Diagnostic) -> [Matrix.Row] {
    guard case .list(let elements) = value, !elements.isEmpty else {
      throw Diagnostic(
        "\"\(path)\" contains no rows", code: .badMatrix, at: range,
        help: "write a list of maps, or CSV with names in its first line")
    }
    var rows: [Matrix.Row] = []
    for (index, element) in elements.enumerated() {
      guard case .map(let members) = element, !members.isEmpty else {
        throw Diagnostic(
          "row \(index + 1) of \"\(path)\" is not a map", code: .badMatrix, at: range,
          help: "write names and values, as in { plan: basic, price: 1 }")
      }
      if let name = members.keys.first(where: { !$0.isWord }) {
        throw Diagnostic(
          "\"\(name)\" of \"\(path)\" cannot be a name in a matrix", code: .badName, at: range,
          help: "write letters, digits and \"_\", so that ${{ matrix.NAME }} can refer to it")
      }
      let cells = members.map { Matrix.Row.Cell(name: Located($0.key, at: range), value: $0.value) }
      rows.append(Matrix.Row(cells: cells, range: range, lastLine: range.line))
    }
    return rows
  }
}

extension String {
  /// True if expressions can name it behind a dot.
  fileprivate var isWord: Bool {
    guard let first = unicodeScalars.first, first == "_" || first.isLetter else { return false }
    return unicodeScalars.allSatisfy { $0 == "_" || $0.isLetter || ("0"..."9").contains($0) }
  }
}

extension Unicode.Scalar {
  fileprivate var isLetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
}
