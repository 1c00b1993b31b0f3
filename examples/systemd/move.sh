#!/bin/sh
# Moves a server of server.sh, with its data and settings, to systemd. Run as root in /opt/staff-dashboard:
# sh examples/systemd/move.sh. If it fails, fix the cause and run it again.
set -eu
to=/var/lib/staff-dashboard
settings=/etc/staff-dashboard/environment

for file in *.settings; do
  name=${file%.settings}
  case $name in 'server' | '*') continue ;; esac
  echo "systemd runs one server. To move only \`server\`, first run: sh examples/server.sh stop $name; rm $file" >&2
  exit 1
done
data=data
if [ -e .env ]; then data=$(node scripts/read-setting.mjs DATA_DIR data); fi
sh examples/server.sh stop all
id -u staff-dashboard > /dev/null 2>&1 || useradd --system --user-group --home-dir $to staff-dashboard
install -d -m 700 $to
# .env is removed last. If it's gone, an earlier run has already moved the data.
if [ -e .env ] || [ ! -e $settings ]; then
  if [ ! -e "$data" ]; then
    # The service would find no database.
    if [ ! -e $to/database ] && ! grep -Eqs '^(export )?DATABASE_URL=.' .env; then
      echo "There is no data in $data. Move the data there, or mount its disk" >&2
      exit 1
    fi
  elif [ "$(readlink -f "$data")" != "$(readlink -f $to)" ]; then
    from=$(readlink -f "$data")
    [ -e $to/database ] || find "$from" -mindepth 1 -maxdepth 1 -exec mv -t $to {} +
    rmdir "$from" || {
      echo "Some data is still in $from, and some is in $to. Move the rest, or what doesn't belong there, by hand" >&2
      exit 1
    }
    rm -f "$data"
  fi
fi
chown -R root: .
# Beside what a server keeps there can be the data of root's other servers.
set -- $to
for name in application-password audit-head.json database database-password database.json files incoming link-secret linked-from server.lock socket; do
  [ ! -e "$to/$name" ] || set -- "$@" "$to/$name"
done
chown staff-dashboard: $to
shift
[ $# = 0 ] || chown -R staff-dashboard: "$@"
if [ -e .env ]; then
  node scripts/systemd-environment.mjs .env $settings
  rm .env
fi
# The checkout may have been cloned with a strict umask.
chmod a+rx .
chmod -R a+rX bin build dist node_modules package.json
cp examples/systemd/staff-dashboard.service /etc/systemd/system/
systemctl enable --now staff-dashboard
