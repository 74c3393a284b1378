/// The version of the language, which `version:` names.
package enum LanguageVersion {
  /// The version that this release reads.
  package static let current: Int64 = 2
}
