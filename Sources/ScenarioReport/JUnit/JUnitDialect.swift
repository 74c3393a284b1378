/// One of the forms that JUnit XML has among its consumers.
protocol JUnitDialect {
  /// The whole document, in UTF-8.
  func document(_ report: JUnitReport) -> [UInt8]
}
