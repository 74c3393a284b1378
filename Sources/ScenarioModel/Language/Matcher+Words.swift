extension Matcher {
  /// Whether a key of a map makes the map a condition where data stands.
  public static func isConditionOnData(_ key: String) -> Bool {
    Vocabulary.dataMatcher.contains(key)
  }
}
