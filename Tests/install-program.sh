#!/bin/sh
# install-program.sh PROGRAM PREFIX: installs the program, its manual page and its completions.
set -eu
program=$1
prefix=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" manual > "$work/scenario.1"
for shell in bash zsh fish; do
  "$program" completions "$shell" > "$work/$shell"
done
install -D -m 755 "$program" "$prefix/bin/scenario"
install -D -m 644 "$work/scenario.1" "$prefix/share/man/man1/scenario.1"
install -D -m 644 "$work/bash" "$prefix/share/bash-completion/completions/scenario"
install -D -m 644 "$work/zsh" "$prefix/share/zsh/site-functions/_scenario"
install -D -m 644 "$work/fish" "$prefix/share/fish/vendor_completions.d/scenario.fish"
