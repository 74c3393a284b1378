internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioPlan

/// Reads the parameters of a request as their styles write them (OpenAPI 3.1, "Style Values").
struct OpenAPIParameterReader {
  /// The value of a parameter in a request.
  enum Reading {
    /// The request does not have it.
    case missing
    /// It has no text.
    case empty
    /// What its text may stand for, the likeliest first.
    case values([Value])
    /// It is not what its style says.
    case broken(expected: String, actual: String)
  }

  let request: IncomingRequest
  /// The values of the path's templates, percent-encoded.
  let captures: [String: String]
  let schemas: JSONSchema
  /// The fields of a form, which are read in place of the query.
  var form: [(name: String, value: String)]?

  private var query: [(name: String, value: String)] {
    form ?? request.target.query.map { ($0.name, $0.value) }
  }

  /// Reads a parameter.
  func reading(of parameter: PlannedOpenAPI.Parameter) -> Reading {
    if parameter.isJSON { return json(parameter) }
    let shape = parameter.schema.map { OpenAPIShape($0, of: schemas) }
    if parameter.style == .deepObject { return deepObject(parameter, shape) }
    if let shape, parameter.explodes, parameter.style == .form,
      shape.types.contains("object"), !shape.types.contains("array")
    {
      return explodedMap(parameter, shape)
    }
    let texts = texts(of: parameter)
    guard let first = texts.first else { return .missing }
    guard let shape else { return first.isEmpty ? .empty : .values([.string(first)]) }
    var values: [Value] = []
    let mayBeList = shape.types.contains("array")
    if mayBeList { values.append(shape.list(of: parts(texts, parameter))) }
    if shape.types.contains("object"), let pairs = pairs(of: first, parameter) {
      values.append(shape.map(of: pairs))
    }
    if texts.count > 1 {
      return mayBeList
        ? .values(values) : .broken(expected: "one value", actual: "\(texts.count) values")
    }
    // What may be a list or a map is one value if it can be nothing else.
    let isPlain = shape.types.isDisjoint(with: ["array", "object"])
    let text = stripped(decoded(first, parameter), parameter)
    if isPlain, text.isEmpty { return .empty }
    if isPlain || !shape.types.subtracting(["array", "object", "null"]).isEmpty {
      values += shape.values(of: text)
    } else if values.isEmpty {
      return .broken(expected: "names and values", actual: Value.string(first).excerpt())
    }
    return .values(values)
  }

  /// A text of the path without its percent-encoding; those of other places came without.
  private func decoded(_ text: String, _ parameter: PlannedOpenAPI.Parameter) -> String {
    parameter.place == .path ? PercentEncoding.decoded(text) : text
  }

  /// A value that is written as JSON, whatever its style.
  private func json(_ parameter: PlannedOpenAPI.Parameter) -> Reading {
    guard let first = texts(of: parameter).first else { return .missing }
    let text = decoded(first, parameter)
    guard let value = try? JSONText.parse(text) else {
      return .broken(expected: "JSON", actual: Value.string(text).excerpt())
    }
    return .values([value])
  }

  /// The texts of a parameter, one for each time that the request has it.
  private func texts(of parameter: PlannedOpenAPI.Parameter) -> [String] {
    switch parameter.place {
    case .path: captures[parameter.name].map { [$0] } ?? []
    case .query: query.filter { $0.name == parameter.name }.map(\.value)
    case .header: request.header(parameter.name).map { [$0] } ?? []
    case .cookie: request.cookies.filter { $0.name == parameter.name }.map(\.value)
    }
  }

  /// The text without the mark that two styles of paths put in front.
  private func stripped(_ text: String, _ parameter: PlannedOpenAPI.Parameter) -> String {
    switch parameter.style {
    case .label where text.hasPrefix("."): String(text.dropFirst())
    case .matrix where text.hasPrefix(";\(parameter.name)="):
      String(text.dropFirst(parameter.name.count + 2))
    default: text
    }
  }

  private func parts(_ texts: [String], _ parameter: PlannedOpenAPI.Parameter) -> [String] {
    if parameter.style == .form, parameter.explodes { return texts }
    if parameter.style == .matrix, parameter.explodes {
      return texts[0].split(separator: ";").map { stripped(";\($0)", parameter) }
    }
    let separator: Character =
      switch parameter.style {
      case .spaceDelimited: " "
      case .pipeDelimited: "|"
      case .label where parameter.explodes: "."
      default: ","
      }
    // Swagger's tools repeat the name even where it does not explode.
    return texts.flatMap { text in
      let inner = stripped(text, parameter)
      return inner.isEmpty
        ? []
        : inner.split(separator: separator, omittingEmptySubsequences: false).map { part in
          parameter.place == .header
            ? RequestForms.trimmed(part) : decoded(String(part), parameter)
        }
    }
  }

  /// `a,1,b,2`, or `a=1,b=2` where it explodes.
  private func pairs(
    of text: String, _ parameter: PlannedOpenAPI.Parameter
  ) -> [(name: String, text: String)]? {
    let parts = parts([text], parameter)
    if parameter.explodes {
      return parts.map { part in
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(pair[0]), pair.count > 1 ? String(pair[1]) : "")
      }
    }
    guard parts.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: parts.count, by: 2).map { (parts[$0], parts[$0 + 1]) }
  }

  /// `filter[a]=1&filter[b]=2`.
  private func deepObject(_ parameter: PlannedOpenAPI.Parameter, _ shape: OpenAPIShape?) -> Reading
  {
    let prefix = parameter.name + "["
    let fields = query.filter { $0.name.hasPrefix(prefix) && $0.name.hasSuffix("]") }
    guard !fields.isEmpty else { return .missing }
    let shape = shape ?? OpenAPIShape.anything(of: schemas)
    return .values([
      shape.value(
        ofNested: fields.map {
          (OpenAPIShape.keys(of: $0.name.dropFirst(parameter.name.count)), $0.value)
        })
    ])
  }

  /// A map whose members are items of the query: those that the schema names.
  private func explodedMap(
    _ parameter: PlannedOpenAPI.Parameter, _ shape: OpenAPIShape
  ) -> Reading {
    let items =
      parameter.place == .cookie ? request.cookies.map { (name: $0.name, value: $0.value) } : query
    let fields = items.filter { shape.members[$0.name] != nil }.map {
      (name: $0.name, text: $0.value)
    }
    return fields.isEmpty ? .missing : .values([shape.map(ofFields: fields)])
  }
}
