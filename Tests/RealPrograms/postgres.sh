# Makes a database in this directory, lets a server run that listens on a socket here and nowhere else,
# and makes psql do what a file says.
#
#   postgres.sh FILE
set -euo pipefail

server_path=$(compgen -G "/usr/lib/postgresql/*/bin/postgres" || command -v postgres)
programs=$(dirname "$(readlink -f "${server_path%%$'\n'*}")")
as_server=()
if [ "$(id -u)" -eq 0 ]; then
  # The server refuses root; its user must get into this directory.
  chmod a+x . .. ../..
  chown postgres .
  as_server=(setpriv --reuid postgres --regid postgres --clear-groups)
fi
"${as_server[@]}" "$programs/initdb" --pgdata "$PWD/data" --username tester --no-sync > initdb.log
"${as_server[@]}" "$programs/postgres" -D "$PWD/data" -k "$PWD" -h '' 2> log &
server=$!
until "$programs/pg_isready" --quiet --host "$PWD"; do sleep 0.1; done
"$programs/psql" --host "$PWD" --username tester --quiet --no-align --tuples-only \
  --file "$1" postgres
kill -INT "$server"
wait "$server"
