#!/bin/sh
# Creates the database and the user that the servers connect as. The user owns this database, isn't a superuser,
# and can't create roles or databases. The PostgreSQL image runs this once, for an empty volume.
# Elsewhere, run it as root on PostgreSQL's machine, or set PGHOST, PGUSER and PGPASSWORD of a superuser. Set PGPORT
# if it isn't 5432, and DATABASE_USER for a name other than `dashboard`. Prints the DATABASE_URL with a new password.
# If DATABASE_PASSWORD is set, uses it and prints nothing.
set -eu
fail() {
  echo "$1" >&2
  exit 1
}
name=${DATABASE_USER:-dashboard}
command -v psql > /dev/null || fail 'psql is not installed. Install the client of PostgreSQL.'
# Debian's PostgreSQL lets only the system user `postgres` in without a password.
if [ "$(id -u)" = 0 ] && [ -z "${PGHOST:-}" ]; then exec su postgres -c 'cd / && exec sh' < "$0"; fi
user=${POSTGRES_USER:-${PGUSER:-postgres}}
sql() {
  psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$user" --dbname postgres --set name="$name" "$@"
}
# The port of the connection: Debian's psql also finds a cluster on another one.
port=$(printf '\\echo :PORT\n' | sql) ||
  fail "PostgreSQL did not let $user in. Start it, and run this as root beside it, or set PGHOST, PGPORT, PGUSER and PGPASSWORD."
at=
[ "$port" = 5432 ] || at=" --port $port"
there=$(
  sql --tuples-only --no-align <<'SQL'
select 'role' where to_regrole(quote_ident(:'name')) is not null
union all select 'database' from pg_database where datname = :'name'
SQL
)
if [ -n "$there" ]; then
  found="There is a $(echo $there | sed 's/ / and a /') called $name already."
  other='For an empty database, export another DATABASE_USER.'
  case $there in
    *database*)
      tables=$(psql --no-psqlrc --username "$user" --dbname "$name" --tuples-only --no-align --command \
        "select count(*) from pg_class where relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace, 'pg_toast'::regnamespace)" < /dev/null) ||
        fail "$found It can't be looked into. $other"
      [ "$tables" = 0 ] || fail "$found It holds data: to use it, keep the DATABASE_URL that you have. $other"
      fail "$found It is empty. Export another DATABASE_USER, or remove it as $user: dropdb$at $name && dropuser$at $name"
      ;;
  esac
  fail "$found Export another DATABASE_USER, or remove it as $user: dropuser$at $name"
fi
prints=
if [ -z "${DATABASE_PASSWORD:-}" ]; then
  prints=yes
  DATABASE_PASSWORD=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
  export DATABASE_PASSWORD
fi
sql > /dev/null <<'SQL'
\getenv password DATABASE_PASSWORD
select 'create role staff_dashboard nologin' where to_regrole('staff_dashboard') is null \gexec
create role :"name" login password :'password';
grant staff_dashboard to :"name";
create database :"name" owner :"name" encoding 'UTF8' template template0;
revoke all on database :"name" from public;
SQL
# A PGHOST that is a folder means a Unix socket on this machine.
case ${PGHOST:-/} in /*) host=localhost ;; *:*) host=[$PGHOST] ;; *) host=$PGHOST ;; esac
[ -z "$prints" ] || echo "postgres://$name:$DATABASE_PASSWORD@$host:$port/$name"
