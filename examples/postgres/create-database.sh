#!/bin/sh
# Makes the database and the user that the servers connect as. The user owns its database and nothing else: it is no superuser,
# and can make neither roles nor databases. The image of PostgreSQL runs this once, for an empty volume; elsewhere run it as
# root beside PostgreSQL, or with PGHOST, PGUSER and PGPASSWORD of its `postgres`. Set DATABASE_PASSWORD, and DATABASE_USER for
# another name than `dashboard`.
set -eu
: "${DATABASE_PASSWORD:?}"
# Debian's PostgreSQL lets `postgres` in without a password, and nobody else.
if [ "$(id -u)" = 0 ] && [ -z "${PGHOST:-}" ]; then exec su postgres -c 'cd / && exec sh' < "$0"; fi
psql --no-psqlrc --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-${PGUSER:-postgres}}" --dbname postgres \
  --set name="${DATABASE_USER:-dashboard}" <<'SQL'
\getenv password DATABASE_PASSWORD
select 'create role staff_dashboard nologin' where to_regrole('staff_dashboard') is null \gexec
create role :"name" login password :'password';
grant staff_dashboard to :"name";
create database :"name" owner :"name" encoding 'UTF8' template template0;
revoke all on database :"name" from public;
SQL
