internal import Cryptography
internal import Foundations
internal import MockEngine
internal import ScenarioModel

extension ClientCertificate {
  /// - Parameters:
  ///   - description: what the certificate says.
  ///   - now: the scenario's wall clock.
  init(_ description: CertificateDescription, at now: WallInstant) {
    let validity: CertificateConditions.Validity =
      now.seconds > description.notAfter.seconds
      ? .expired : now < description.notBefore ? .notYetValid : .valid
    self.init(
      subject: description.subject, commonNames: description.commonNames,
      issuer: description.issuer, alternativeNames: description.alternativeNames,
      fingerprint: description.fingerprint, validity: validity)
  }
}
