internal import MockServer
internal import Supervisor

/// The files by which programs prepare themselves, before and beside what they are there for.
///
/// An exploration is seldom about a machine's own libraries, locales or certificates that cannot be read,
/// and there are many of these calls: one connection by HTTPS allocates some hundred thousand times
/// while the certificates of the machine are loaded.
enum PreparationFiles {
  /// Returns the kind of preparation that calls on a path belong to; `nil` for all other files.
  static func preparation(_ path: String) -> FaultSurvey.Preparation? {
    if certificateFolders.contains(where: { path.hasPrefix($0) }) || isBundle(path) {
      return .loading
    }
    if startupFiles.contains(path) || startupFolders.contains(where: { path.hasPrefix($0) }) {
      return .startup
    }
    return nil
  }

  private static func isBundle(_ path: String) -> Bool {
    bundles.contains(path) || bundleSuffixes.contains { path.hasSuffix($0) }
  }

  private static let bundles = Set(TrustStore.bundlePaths + TrustStore.keyStorePaths)

  /// The bundles of libraries and languages, and the one that the run's own authority has joined.
  private static let bundleSuffixes =
    TrustStore.bundleSuffixes + TrustStore.keyStoreSuffixes + ["/ca-bundle.pem"]

  private static let certificateFolders = [
    "/etc/ssl/certs/", "/etc/pki/", "/etc/ca-certificates/", "/usr/lib/ssl/certs/",
    "/usr/share/ca-certificates/", "/usr/local/share/ca-certificates/",
  ]

  /// Code, and what libc, the loader and runtimes are configured by (ld.so(8), locale(7), nsswitch.conf(5),
  /// terminfo(5)).
  private static let startupFolders = [
    "/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "/usr/libexec/", "/usr/local/lib/",
    "/usr/share/locale/", "/usr/share/i18n/", "/usr/share/zoneinfo/", "/usr/share/terminfo/",
    "/etc/terminfo/", "/etc/ld.so.conf.d/", "/proc/self/", "/proc/sys/", "/sys/",
  ]

  private static let startupFiles: Set<String> = [
    "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/ld.so.conf", "/etc/locale.alias",
    "/etc/localtime", "/etc/timezone", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf",
    "/etc/ssl/openssl.cnf", "/etc/inputrc", "/proc/meminfo", "/proc/cpuinfo", "/proc/stat",
  ]
}
