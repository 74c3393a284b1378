import Testing

@Suite("Folders of one case and the next")
struct FreshFolderTests {
  @Test(
    "Whatever a case does to its folders, the next one finds them as if they had just been made",
    arguments: [
      "true", "touch left", "touch $HOME/left", "mkdir $TMPDIR/left", "touch $XDG_RUNTIME_DIR/left",
      "chmod 755 .", "chmod 500 $HOME", "touch left; rm left", "rmdir $XDG_RUNTIME_DIR",
      "touch ../left", "touch -d 2001-01-01 .", "ln -s / $HOME/left",
    ])
  func fresh(deed: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      scenarios:
        - { name: first, target: { command: "\(deed)" } }
        - name: second
          target:
            command: |
              for place in . $HOME $TMPDIR $XDG_RUNTIME_DIR ..; do
                echo $(stat -c '%a %F' $place): $(ls -A $place)
              done
              find . -maxdepth 0 -newermt '1 hour ago'
          expect:
            stdout:
              lines:
                - "700 directory:"
                - "700 directory: .run"
                - "700 directory:"
                - "700 directory:"
                - "700 directory: home tmp work"
                - "."

      """, to: "folders.yaml")
    let outcome = try BuiltRunner.run(["run", path, "-j1"])
    outcome.expectExit(0)
  }
}
