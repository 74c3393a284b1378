#!/usr/bin/env bash
# Runs the static executable on the kernels of Debian 11, 12 and 13, in machines that hold it, busybox and nothing else.
#
#   Tests/Kernels/run.sh [--program FILE] [--jobs N] [SUITE...]      dist/scenario; bullseye bookworm trixie
#
# QEMU emulates the processor, so that no KVM is needed. On each kernel, whose release must be that of its Debian: doctor; each scenario of passing/ passes; each of
# failing/, which expects something else, fails; and what the machine lacks is told, with exit code 3. The kernels are
# Debian's packages, fetched below .build/kernels by apt-get, once. DEBIAN_MIRROR is where they come from, if not Debian's own.
# Skipped aloud where QEMU or apt-get cannot be had. Exit code 1 if anything did not hold.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

program=dist/scenario
jobs=1
while [[ ${1:-} == --* ]]; do
  case $1 in
    --program) program=$2 ;;
    --jobs) jobs=$2 ;;
    *) echo "usage: $0 [--program FILE] [--jobs N] [SUITE...]" >&2; exit 2 ;;
  esac
  shift 2
done
suites=("$@")
[ ${#suites[@]} -gt 0 ] || suites=(bullseye bookworm trixie)
# What `uname -r` begins with in each.
declare -A releases=([bullseye]=5.10 [bookworm]=6.1 [trixie]=6.12)
for suite in "${suites[@]}"; do
  [ -n "${releases[$suite]:-}" ] || { echo "error: \"$suite\" is not one of bullseye, bookworm, trixie" >&2; exit 2; }
done
folder=.build/kernels
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
# An emulated processor is some thirty times slower than a real one.
seconds=${KERNEL_SECONDS:-1800}

skip() {
  echo "skipped: $1"
  echo "0 passed, 0 failed, ${#suites[@]} skipped"
  exit 0
}

if [ ! -x "$program" ]; then
  echo "error: there is no program \"$program\"" >&2
  echo "help: make release" >&2
  exit 3
fi
command -v apt-get >/dev/null || skip "this machine has no apt-get, which fetches Debian's kernels"
command -v qemu-system-x86_64 >/dev/null || { [ "$(id -u)" -eq 0 ] &&
  apt-get install --yes --quiet --no-install-recommends qemu-system-x86 >/dev/null; } || skip "no qemu-system-x86_64"
busybox=$(command -v busybox) || skip "no busybox"

# kernel SUITE: the file of its kernel, fetched unless it is there.
kernel() {
  local state=$folder/$1 package
  local options=(
    -o "Dir::State=$PWD/$state" -o "Dir::State::status=$PWD/$state/status" -o "Dir::Cache=$PWD/$state"
    -o "Dir::Etc::SourceList=$PWD/$state/sources.list" -o Dir::Etc::SourceParts=/dev/null -o APT::Sandbox::User=root)
  if ! compgen -G "$state/boot/vmlinuz-*" >/dev/null; then
    mkdir -p "$state/lists/partial" "$state/archives/partial"
    touch "$state/status"
    echo "deb $mirror $1 main" > "$state/sources.list"
    apt-get "${options[@]}" update --quiet >&2 || return 1
    package=$(apt-cache "${options[@]}" depends linux-image-amd64 | awk '/Depends:/ { print $2; exit }')
    (cd "$state" && apt-get "${options[@]}" download --quiet "$package" >&2) || return 1
    dpkg-deb --fsys-tarfile "$state/$package"_*.deb | tar --extract --directory "$state" --wildcards './boot/vmlinuz-*'
    rm -rf "$state/$package"_*.deb "$state/lists"
  fi
  compgen -G "$state/boot/vmlinuz-*"
}

# The file system of each machine: what is listed here.
make_root() {
  rm -rf "$folder/root"
  mkdir -p "$folder/root/bin" "$folder/root/proc" "$folder/root/dev" "$folder/root/tmp" "$folder/root/scenarios"
  cp "$busybox" "$folder/root/bin/busybox"
  cp "$program" "$folder/root/scenario"
  cp Tests/Kernels/init "$folder/root/init"
  cp -r Tests/Kernels/passing Tests/Kernels/failing Tests/Kernels/noexec.yaml "$folder/root/scenarios"
  (cd "$folder/root" && find . | "$busybox" cpio -o -H newc 2>/dev/null | gzip -1) > "$folder/initramfs.gz"
}

# start SUITE KERNEL: what its machine prints goes to SUITE.txt.
start() {
  timeout "$seconds" qemu-system-x86_64 -accel tcg -cpu max -smp 2 -m 1536 -nographic -no-reboot -nic none \
    -kernel "$2" -initrd "$folder/initramfs.gz" -append "console=ttyS0 quiet panic=-1 no_timer_check" < /dev/null > "$folder/$1.txt" 2>&1
  sed -i 's/\r//g' "$folder/$1.txt"
}

passed=0
failed=0
# judge NAME PATTERN: whether the machine's output has it.
judge() {
  if grep -q -E -- "$2" "$log"; then
    passed=$((passed + 1))
    echo "passed: $1"
  else
    failed=$((failed + 1))
    echo "FAILED: $1: nothing printed \"$2\""
  fi
}

# count WHERE: how many scenarios stand in a folder.
count() {
  "$program" list "Tests/Kernels/$1" 2>/dev/null | grep -c yaml
}

mkdir -p "$folder"
make_root
expected=$(count passing)
declare -A kernels=()
for suite in "${suites[@]}"; do
  kernels[$suite]=$(kernel "$suite" 2> "$folder/$suite.txt") || kernels[$suite]=
done
running=0
for suite in "${suites[@]}"; do
  [ -n "${kernels[$suite]}" ] || continue
  [ "$running" -lt "$jobs" ] || { wait -n; running=$((running - 1)); }
  start "$suite" "${kernels[$suite]}" &
  running=$((running + 1))
done
wait

for suite in "${suites[@]}"; do
  log=$folder/$suite.txt
  if [ -z "${kernels[$suite]}" ]; then
    failed=$((failed + 1))
    echo "FAILED: $suite: its kernel cannot be fetched"
    tail -n 5 "$log"
    continue
  fi
  before=$failed
  name="Linux ${kernels[$suite]##*/vmlinuz-}"
  judge "$suite runs Linux ${releases[$suite]}" "^@ release: ${releases[$suite]//./[.]}[.-]"
  judge "$name, doctor" '^@ doctor: 0$'
  judge "$name, $expected scenarios pass" "^$expected passed, 0 failed( in .*)?$"
  judge "$name, and their twins fail" "^0 passed, $expected failed( in .*)?$"
  judge "$name, without /proc it says so" '^@ without /proc: 3$'
  judge "$name, and how to mount it" '^help: mount -t proc proc /proc$'
  judge "$name, noexec on /tmp is told" 'help: .*noexec'
  judge "$name, and ends with 3" '^@ noexec on /tmp: 3$'
  judge "$name, a read-only folder for temporary files is told" 'error: cannot create a folder in "/empty": Read-only file system'
  judge "$name, and ends with 3" '^@ read-only: 3$'
  judge "$name, doctor says that nothing may be traced" '^fail .*PTRACE_SEIZE: Operation not permitted'
  judge "$name, and what to change" 'ptrace_scope, which must not be 3'
  judge "$name, and a run ends with 3" '^@ without ptrace: 3$'
  [ "$failed" -eq "$before" ] || { echo "what its machine printed last:"; tail -n 100 "$log"; }
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
