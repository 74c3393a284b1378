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
  for component in BoringSSL libyaml glibc swift-nio; do
    expect "tarball: the licence of $component" grep -qi "$component" "$work/unpacked/share/doc/scenario/LICENSES"
  done
  expect "tarball: components" python3 -c "
import json, sys
components = {c['name']: c['version'] for c in json.load(open(sys.argv[1]))['components']}
missing = [name for name in ('swift-nio', 'libyaml', 'zlib', 'swift') if components.get(name, 'unknown') == 'unknown']
sys.exit(f'without a version: {missing}' if missing else 0)" "$work/unpacked/share/doc/scenario/components.cdx.json"
  expect "tarball: manual page" sh -c "zcat '$work/unpacked/share/man/man1/scenario.1.gz' | grep -q '^.TH'"
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
}

wheel() {
  expect "wheel: the same bytes twice" package wheel
  if python3 -m venv "$work/venv" > /dev/null 2>&1; then
    expect "wheel: pip installs it" "$work/venv/bin/pip" install --no-index --quiet "$work"/first/*.whl
    check "wheel: installed and run" "$work/venv/bin/scenario"
    expect "wheel: pip refuses it on another processor" other_processor
    expect "wheel: pip removes it" "$work/venv/bin/pip" uninstall --yes --quiet scenario-cli
    expect "wheel: nothing is left" test ! -e "$work/venv/bin/scenario"
  else
    skip "wheel: no venv"
  fi
}

# other_processor: pip refuses the wheel where its executable could not run, and says so.
other_processor() {
  local options=(install --no-index --quiet --only-binary=:all: --no-deps --target "$work/other")
  "$work/venv/bin/pip" "${options[@]}" --platform manylinux2014_x86_64 "$work"/first/*.whl &&
    ! "$work/venv/bin/pip" "${options[@]}" --platform manylinux2014_aarch64 "$work"/first/*.whl 2> "$work/refusal" &&
    grep "is not a supported wheel on this platform" "$work/refusal"
}

# image_in_root ARGUMENT...: the image's program in the image's root, beside a busybox.
image_in_root() {
  unshare --mount --pid --fork sh -c '
    root=$1; shift
    mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && exec chroot "$root" /bin/scenario "$@"' \
    sh "$work/image" "$1" "/data/$(basename "$2")"
}

image() {
  expect "image: the same bytes twice" package image
  mkdir "$work/layout" "$work/image"
  tar -xf "$work"/first/scenario-*.oci.tar -C "$work/layout"
  if command -v skopeo > /dev/null; then
    expect "image: skopeo reads it" skopeo inspect "oci:$work/layout"
  else
    skip "image: no skopeo"
  fi
  local layer
  layer=$(python3 - "$work/layout" << 'PYTHON'
import json, pathlib, sys
root = pathlib.Path(sys.argv[1])
blob = lambda reference: root / "blobs" / reference["digest"].replace(":", "/")
manifest = json.loads(blob(json.loads((root / "index.json").read_text())["manifests"][0]).read_text())
print(blob(manifest["layers"][0]))
PYTHON
)
  tar -xzf "$layer" -C "$work/image"
  if command -v busybox > /dev/null && unshare --mount --pid --fork mount -t tmpfs none /mnt 2> /dev/null; then
    mkdir -p "$work/image/proc" "$work/image/dev"
    for name in sh sleep date; do ln -s busybox "$work/image/bin/$name"; done
    cp "$(command -v busybox)" "$work/image/bin/busybox"
    cp "$work/day.yaml" "$work/wrong.yaml" "$work/image/data"
    check "image: run in its root" image_in_root
  else
    skip "image: no busybox, or nothing can be mounted"
  fi
}

tarball
deb
wheel
image
expect "sums" sh -c "Packaging/package sums --program '$program' --output '$work/first' && cd '$work/first' && sha256sum -c SHA256SUMS"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
