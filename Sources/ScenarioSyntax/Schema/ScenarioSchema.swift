internal import Foundations
package import ScenarioModel

/// The JSON Schema of the language, for editors.
package enum ScenarioSchema {
  /// The schema as JSON, the same text every time, with a final newline.
  ///
  /// - Parameter files: Files whose factories, traits and chaos entries editors complete where they are
  ///   named; none gives the schema that fits every project.
  package static func text(naming files: [ScenarioFile] = []) -> String {
    SchemaWriter(names: ProjectNames(of: files)).schema().jsonText(pretty: true) + "\n"
  }
}
