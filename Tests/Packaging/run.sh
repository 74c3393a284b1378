#!/usr/bin/env bash
# Makes every package of a static executable, installs each as its users would, and runs a scenario with it.
#
#   Tests/Packaging/run.sh [PROGRAM]      (dist/scenario)
#
# What this machine cannot do is skipped aloud. The last line says how many passed; exit code 1 if any failed.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

program=$(realpath "${1:-dist/scenario}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
skipped=0

cat > "$work/day.yaml" << 'YAML'
version: 1
clock: { at: 2030-01-01T00:00:00Z, flow: auto }
target: { command: [sh, -c, "sleep 86400; date +%F"] }
expect: { exit: 0, stdout: "2030-01-02\n" }
YAML
sed 's/01-02/01-03/' "$work/day.yaml" > "$work/wrong.yaml"

# check NAME COMMAND...: the command passes the right scenario and fails the wrong one.
check() {
  local name=$1
  shift
  if "$@" run "$work/day.yaml" > "$work/log" 2>&1 && ! "$@" run "$work/wrong.yaml" > /dev/null 2>&1; then
    echo "ok: $name"
    passed=$((passed + 1))
  else
    echo "failed: $name"
    cat "$work/log"
    failed=$((failed + 1))
  fi
}

# expect NAME COMMAND...: the command passes.
expect() {
  local name=$1
  shift
  if "$@" > "$work/log" 2>&1; then
    echo "ok: $name"
    passed=$((passed + 1))
  else
    echo "failed: $name"
    cat "$work/log"
    failed=$((failed + 1))
  fi
}

skip() {
  echo "skipped: $1"
  skipped=$((skipped + 1))
}

# package KIND: makes it twice; the bytes are the same.
package() {
  Packaging/package "$1" --program "$program" --output "$work/first" > /dev/null &&
    Packaging/package "$1" --program "$program" --output "$work/second" > /dev/null &&
    diff -r "$work/first" "$work/second"
}

tarball() {
  expect "tarball: the same bytes twice" package tarball
  mkdir "$work/unpacked"
  tar -xzf "$work"/first/scenario-*.tar.gz -C "$work/unpacked" --strip-components 1
  check "tarball: unpacked and run" "$work/unpacked/bin/scenario"
  # A line of each kind of licence, and whose it is.
  for line in "Copyright Fedor Indutny, 2018" "WIDE Project" "GNU LESSER GENERAL PUBLIC LICENSE" "GCC RUNTIME LIBRARY EXCEPTION" \
    "Runtime Library Exception" "Kirill Simonov" "Jean-loup Gailly" "^BoringSSL [0-9a-f]* (Apache-2.0)" "apt-get source"; do
    expect "tarball: licences have \"$line\"" grep -q "$line" "$work/unpacked/share/doc/scenario/LICENSES"
  done
  expect "tarball: components" python3 -c "
import json, sys
components = {c['name']: c['version'] for c in json.load(open(sys.argv[1]))['components']}
wanted = {'swift-nio', 'BoringSSL', 'llhttp', 'libyaml', 'zlib', 'glibc', 'swift', *components}
missing = [name for name in wanted if components.get(name) in (None, '', 'unknown')]
sys.exit(f'without a version: {missing}' if missing else 'swift-system is not linked in' if 'swift-system' in components else 0)" "$work/unpacked/share/doc/scenario/components.cdx.json"
  if [ -x .build/cyclonedx/bin/python ]; then
    expect "tarball: components are as CycloneDX 1.5 has them" .build/cyclonedx/bin/python -c "
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
sys.exit(str(error) if (error := JsonStrictValidator(SchemaVersion.V1_5).validate_str(open(sys.argv[1]).read())) else 0)" "$work/unpacked/share/doc/scenario/components.cdx.json"
  else
    skip "tarball: nothing judges its components (Tests/install-dependencies.sh packages)"
  fi
  expect "tarball: manual page" sh -c "zcat '$work/unpacked/share/man/man1/scenario.1.gz' | grep -q '^.TH'"
  completions
}

# completions: the archive has each shell's, whole; bash gives one for the beginning of a command.
completions() {
  local share=$work/unpacked/share shell
  declare -A places=([bash]=bash-completion/completions/scenario [zsh]=zsh/site-functions/_scenario [fish]=fish/vendor_completions.d/scenario.fish)
  for shell in bash zsh fish; do
    expect "tarball: completions of $shell" sh -c 'test -s "$3" && "$1" completions "$2" | cmp - "$3"' sh "$program" "$shell" "$share/${places[$shell]}"
    if command -v "$shell" > /dev/null; then
      expect "tarball: $shell reads its completions" "$shell" -n "$share/${places[$shell]}"
    else
      skip "tarball: no $shell"
    fi
  done
  expect "tarball: bash completes with them" env "PATH=$work/unpacked/bin:$PATH" bash --norc -c '
    source "$1"
    COMP_WORDS=(scenario doct) COMP_CWORD=1 COMP_LINE="scenario doct" COMP_POINT=13
    "$(complete -p scenario | sed "s/.*-F \([^ ]*\).*/\1/")" scenario doct scenario
    echo "${COMPREPLY[@]}"
    [ "${COMPREPLY[*]}" = doctor ]' bash "$share/${places[bash]}"
}

# root_of_debian: a root that debootstrap has made, and nobody has changed; made below .build/distributions, once.
root_of_debian() {
  local clean=.build/distributions/clean
  if [ ! -e "$clean/made" ]; then
    rm -rf "$clean"
    mkdir -p "$clean"
    debootstrap --variant=minbase bookworm "$clean" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} || return 1
    touch "$clean/made"
  fi
  cp -a "$clean" "$work/debian"
}

# in_root ROOT COMMAND...: runs it there, as the first process of a process namespace.
in_root() {
  unshare --mount --pid --fork sh -c '
    root=$1; shift
    mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" &&
      exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"' sh "$@"
}

# installed run FILE: the package's program, in Debian's root.
installed() {
  in_root "$work/debian" scenario "$1" "/srv/$(basename "$2")"
}

can_mount() {
  unshare --mount --pid --fork mount -t tmpfs none /mnt 2> /dev/null
}

deb() {
  if ! command -v dpkg-deb > /dev/null; then
    skip "deb: no dpkg-deb"
    return
  fi
  expect "deb: the same bytes twice" package deb
  dpkg-deb -x "$work"/first/scenario_*.deb "$work/root"
  check "deb: unpacked and run" "$work/root/usr/bin/scenario"
  if command -v lintian > /dev/null; then
    expect "deb: lintian" lintian --allow-root --fail-on error,warning "$work"/first/scenario_*.deb
  else
    skip "deb: no lintian"
  fi
  if ! command -v debootstrap > /dev/null || ! can_mount; then
    skip "deb: no debootstrap, or nothing can be mounted"
    return
  fi
  expect "deb: a clean root of Debian" root_of_debian
  cp "$work"/first/scenario_*.deb "$work/day.yaml" "$work/wrong.yaml" "$work/debian/srv"
  expect "deb: apt installs it there" in_root "$work/debian" sh -c "apt-get install --yes /srv/scenario_*.deb"
  check "deb: installed and run" installed
  expect "deb: its files are as they were packed" in_root "$work/debian" dpkg --verify scenario
  expect "deb: apt removes it" in_root "$work/debian" apt-get purge --yes scenario
  expect "deb: nothing is left" test ! -e "$work/debian/usr/bin/scenario" -a ! -e "$work/debian/usr/share/doc/scenario"
}

wheel() {
  expect "wheel: the same bytes twice" package wheel
  if python3 -m venv "$work/venv" > /dev/null 2>&1; then
    expect "wheel: its metadata is valid" "$work/venv/bin/python" -c "
import email, sys, zipfile
names = zipfile.ZipFile(sys.argv[1]).namelist()
place = next(name for name in names if name.endswith('/METADATA'))
found = email.message_from_bytes(zipfile.ZipFile(sys.argv[1]).read(place))
folder = place.rpartition('/')[0]
# PEP 639, PEP 770.
good = found['Metadata-Version'] == '2.4' and found['License-Expression'] and not found['License'] and all(
    f'{folder}/licenses/{name}' in names for name in found.get_all('License-File'))
sys.exit(not (good and any(name.startswith(f'{folder}/sboms/') for name in names)))" "$(echo "$work"/first/*.whl)"
    expect "wheel: pip installs it" "$work/venv/bin/pip" install --no-index --quiet "$work"/first/*.whl
    check "wheel: installed and run" "$work/venv/bin/scenario"
    expect "wheel: pip takes it where the C library is musl" foreign musllinux_1_1_x86_64
    expect "wheel: pip refuses it on another processor" other_processor
    expect "wheel: pip removes it" "$work/venv/bin/pip" uninstall --yes --quiet scenario-cli
    expect "wheel: nothing is left" test ! -e "$work/venv/bin/scenario"
  else
    skip "wheel: no venv"
  fi
}

# foreign PLATFORM: what pip does with the wheel on another platform.
foreign() {
  "$work/venv/bin/pip" install --no-index --quiet --only-binary=:all: --no-deps --target "$work/$1" --platform "$1" "$work"/first/*.whl
}

# other_processor: pip refuses the wheel where its executable could not run, and says so.
other_processor() {
  local platform
  for platform in manylinux2014_aarch64 musllinux_1_1_aarch64; do
    ! foreign "$platform" 2> "$work/refusal" && grep "is not a supported wheel on this platform" "$work/refusal" || return 1
  done
}

# image_in_root run FILE: the image's program in the image's root, beside a busybox.
image_in_root() {
  unshare --mount --pid --fork sh -c '
    root=$1; shift
    mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && exec chroot "$root" /bin/scenario "$@"' \
    sh "$work/bundle/rootfs" "$1" "/data/$(basename "$2")"
}

# entry_point: what the image runs, as its runtime is told.
entry_point() {
  python3 -c "
import json, sys
process = json.load(open(sys.argv[1]))['process']
sys.exit(process['args'] != ['/bin/scenario'] or process['cwd'] != '/data')" "$work/bundle/config.json"
}

image() {
  expect "image: the same bytes twice" package image
  if ! command -v skopeo > /dev/null || ! command -v umoci > /dev/null; then
    skip "image: no skopeo, or no umoci"
    return
  fi
  expect "image: skopeo copies it" skopeo --insecure-policy copy \
    "oci-archive:$(echo "$work"/first/scenario-*.oci.tar)" "oci:$work/layout:image"
  expect "image: skopeo reads it" sh -c "skopeo inspect --config 'oci:$work/layout:image' | grep -q '\"architecture\": *\"amd64\"'"
  expect "image: umoci unpacks it" umoci unpack --image "$work/layout:image" "$work/bundle"
  expect "image: it holds the program and its licences, and nothing else" \
    test "$(cd "$work/bundle/rootfs" && find . -type f | sort | xargs)" = "./bin/scenario ./usr/share/doc/scenario/LICENSES ./usr/share/doc/scenario/components.cdx.json"
  expect "image: it runs the program" entry_point
  if command -v busybox > /dev/null && can_mount; then
    local root=$work/bundle/rootfs name
    mkdir -p "$root/proc" "$root/dev"
    for name in sh sleep date; do ln -s busybox "$root/bin/$name"; done
    cp "$(command -v busybox)" "$root/bin/busybox"
    cp "$work/day.yaml" "$work/wrong.yaml" "$root/data"
    check "image: run in its root" image_in_root
  else
    skip "image: no busybox, or nothing can be mounted"
  fi
}

# recipes: each one for CI installs the archive by its checksum, and runs what it holds.
recipes() {
  local python=.build/python/bin/python name
  if [ ! -x "$python" ]; then
    skip "recipes: no $python: Tests/install-dependencies.sh test makes it"
    return
  fi
  for name in action component precommit github gitlab circleci buildkite kubernetes slurm bazel; do
    if [ "$name" = precommit ] && [ ! -x .build/python/bin/pre-commit ]; then
      skip "recipe: precommit: no .build/python/bin/pre-commit: Tests/install-dependencies.sh test installs it"
      continue
    fi
    expect "recipe: $name" "$python" Tests/Engines/replay.py "$(echo "$work"/first/scenario-*.tar.gz)" "$name"
  done
}

tarball
deb
wheel
image
recipes
expect "sums" sh -c "Packaging/package sums --program '$program' --output '$work/first' && cd '$work/first' && sha256sum -c SHA256SUMS"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
