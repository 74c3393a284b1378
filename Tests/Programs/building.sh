# What the build.sh of each folder begins with: source it, with the group of Tests/install-dependencies.sh that has the
# compilers in `dependencies`. Sets source_folder, output_folder and build_script.
set -euo pipefail

if [ $# -ne 1 ]; then
  echo "usage: $0 OUTDIR" >&2
  exit 2
fi

build_script=${BASH_SOURCE[1]}
source_folder=$(cd "$(dirname "$build_script")" && pwd)
mkdir -p "$1"
output_folder=$(cd "$1" && pwd)

# need PROGRAM: ends with what to do if it is missing.
need() {
  if ! command -v "$1" >/dev/null && ! declare -F "$1" >/dev/null; then
    echo "error: \"$1\" is missing" >&2
    echo "help: run Tests/install-dependencies.sh ${dependencies:-test}" >&2
    exit 3
  fi
}
