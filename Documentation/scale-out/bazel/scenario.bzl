"""The rule scenario_test: runs scenario files as a Bazel test, sharded by shard_count."""

def _quoted(word):
    return "'" + word.replace("'", "'\\''") + "'"

def _scenario_test_impl(ctx):
    words = [_quoted(ctx.executable.runner.short_path), "run"]
    words += [_quoted(file.short_path) for file in ctx.files.srcs]
    # Not the bare name: a folder of scenarios may have the same name as its test.
    launcher = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.write(
        output = launcher,
        # Bazel keeps the files in that folder, including the stream of events.
        content = "#!/bin/sh\nexec {} --shard auto --report html=\"$TEST_UNDECLARED_OUTPUTS_DIR/scenario.html\" \"$@\"\n".format(" ".join(words)),
        is_executable = True,
    )
    runfiles = ctx.runfiles(files = ctx.files.srcs + ctx.files.data + [ctx.executable.runner])
    return [DefaultInfo(executable = launcher, runfiles = runfiles)]

scenario_test = rule(
    implementation = _scenario_test_impl,
    doc = "Runs scenario files; fails as they do.",
    attrs = {
        "srcs": attr.label_list(
            doc = "Scenario files to run.",
            allow_files = [".yaml", ".yml"],
            mandatory = True,
        ),
        "data": attr.label_list(
            doc = "The executables under test, and files that scenarios use, copy or import.",
            allow_files = True,
        ),
        "runner": attr.label(
            doc = "The scenario executable.",
            default = "//:scenario",
            allow_single_file = True,
            executable = True,
            cfg = "target",
        ),
    },
    test = True,
)
