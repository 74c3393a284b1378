import Foundation
import PackagePlugin

/// Compiles the replacement vDSO with the toolchain's clang and embeds it in `VirtualClockImage`.
///
/// The image runs in the address space of the program under test, so it is linked freestanding;
/// a SwiftPM library product would be linked with swiftc and need `libswiftCore.so` there.
@main
struct EmbedVirtualClockImage: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let root = context.package.directoryURL
    let source = root.appending(path: "Sources/VirtualClockImage/Image")
    let shared = root.appending(path: "Sources/CSupervisor/include")
    let script = root.appending(path: "Plugins/EmbedVirtualClockImage/embed.sh")
    let code = source.appending(path: "virtual_clock.c")
    let linkerScript = source.appending(path: "virtual_clock.lds")
    let image = context.pluginWorkDirectoryURL.appending(path: "virtual-clock.so")
    let output = context.pluginWorkDirectoryURL.appending(path: "VirtualClockImage+Bytes.swift")

    var arguments = [script.path, image.path, output.path]
    arguments += [try context.tool(named: "clang").url.path]
    arguments += ["-std=c17", "-O2", "-fPIC", "-ffreestanding", "-fvisibility=hidden"]
    arguments += [
      "-fno-stack-protector", "-fno-asynchronous-unwind-tables", "-fcf-protection=none",
    ]
    arguments += ["-Wall", "-Wextra", "-Werror"]
    arguments += ["-I", shared.path]
    arguments += ["-nostdlib", "-shared", "-fuse-ld=lld"]
    arguments += ["-Wl,-T,\(linkerScript.path)", "-Wl,-soname,linux-vdso.so.1"]
    arguments += ["-Wl,--hash-style=both", "-Wl,-Bsymbolic", "-Wl,--build-id=none"]
    arguments += [code.path]
    return [
      .buildCommand(
        displayName: "Linking \(image.lastPathComponent)",
        executable: URL(filePath: "/bin/sh"),
        arguments: arguments,
        inputFiles: [script, code, linkerScript, shared.appending(path: "clock_page.h")],
        outputFiles: [output])
    ]
  }
}
