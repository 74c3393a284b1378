extension InjectedImage.Template {
  /// Creates the template for the programs of an environment; `nil` if they need none, or if the
  /// kernel gives this process no usable vDSO.
  init?(_ configuration: SupervisorConfiguration) {
    guard
      configuration.clock != nil || configuration.router?.redirects ?? false
        || configuration.hosts != nil
        || !configuration.fileReplacements.isEmpty || configuration.entropy.isSeeded
    else { return nil }
    self.init(
      replacementPaths: configuration.fileReplacements.map(\.replacement),
      isSeeded: configuration.entropy.isSeeded)
  }
}
