#!/usr/bin/env bash
# Runs doctor and a part of the gallery in roots of other distributions: Debian 11, 12 and 13.
#
#   Tests/Distributions/run.sh [--program FILE] [SUITE...]        dist/scenario; bullseye bookworm trixie
#
# The roots are made by debootstrap below .build/distributions, once. The executable is static, since Debian 11 has an
# older C library than the one that a dynamic executable wants; Tests/link-static.sh makes one of a debug build. Skipped aloud
# where no file system may be mounted. DEBIAN_MIRROR is where packages come from, if not debootstrap's own. Exit code 1 if anything did not pass.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

program=dist/scenario
if [ "${1:-}" = --program ]; then
  program=$2
  shift 2
fi
suites=("$@")
[ ${#suites[@]} -gt 0 ] || suites=(bullseye bookworm trixie)
folder=.build/distributions
# What the scenarios below run.
packages=ca-certificates,curl,procps,python3,sqlite3

if [ "$(id -u)" -ne 0 ] || ! unshare --mount --pid --fork mount -t tmpfs none /mnt 2>/dev/null; then
  echo "skipped: this machine does not let its user mount file systems, so that no root can be entered"
  echo "0 passed, 0 failed, ${#suites[@]} skipped"
  exit 0
fi
command -v debootstrap >/dev/null || apt-get install --yes --quiet --no-install-recommends debootstrap

mkdir -p "$folder"
if [ ! -x "$program" ]; then
  echo "error: there is no program \"$program\"" >&2
  echo "help: make release" >&2
  exit 3
fi
cp "$program" "$folder/scenario"

# make_root SUITE: its folder, made unless it is whole.
make_root() {
  local root=$folder/$1
  [ "$(cat "$root/made" 2>/dev/null)" != "$packages" ] || return 0
  rm -rf "$root"
  debootstrap --variant=minbase --include="$packages" "$1" "$root" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} \
    > "$folder/$1.txt" 2>&1 || { tail -n 5 "$folder/$1.txt" >&2; return 1; }
  echo "$packages" > "$root/made"
}

# in_root SUITE COMMAND...: runs it there, as the first process of a process namespace.
in_root() {
  local root=$folder/$1
  shift
  unshare --mount --pid --fork -- bash -c '
    root=$1; shift
    mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && mount -t tmpfs tmpfs "$root/tmp" || exit 3
    mkdir -p "$root/tmp/run/Tests/Programs" && cp -r scenarios "$root/tmp/run/" &&
      cp Tests/Programs/*.* "$root/tmp/run/Tests/Programs/" &&
      cp -r Tests/Distributions/scenarios "$root/tmp/run/own" &&
      cp .build/distributions/scenario "$root/tmp/run/scenario" || exit 3
    exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
      sh -c "cd /tmp/run && exec \"\$@\"" sh "$@"' bash "$root" "$@"
}

# Those of the gallery that need no more than the packages above.
mapfile -t gallery < <(sed 's|^|scenarios/|' Tests/Distributions/gallery.txt)

passed=0
failed=0
# judge NAME COMMAND...: shows the output of what fails.
judge() {
  local name=$1 log="$folder/last.txt"
  shift
  if "$@" > "$log" 2>&1; then
    passed=$((passed + 1))
    echo "passed: $name: $(tail -n 1 "$log")"
  else
    failed=$((failed + 1))
    echo "FAILED: $name"
    tail -n 60 "$log"
  fi
}

for suite in "${suites[@]}"; do
  if ! make_root "$suite"; then
    failed=$((failed + 1))
    echo "FAILED: $suite: its root cannot be made"
    continue
  fi
  judge "$suite, doctor" in_root "$suite" ./scenario doctor
  judge "$suite, gallery" in_root "$suite" ./scenario run "${gallery[@]}" own
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
