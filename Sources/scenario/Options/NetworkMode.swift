internal import ArgumentParser
internal import ScenarioModel

extension NetworkSettings.Mode {
  /// Reads the value of an option.
  init(option text: String) throws {
    guard let mode = Self(rawValue: text) else {
      throw ValidationError("\"\(text)\" is not one of offline, spy, record, live")
    }
    self = mode
  }
}
