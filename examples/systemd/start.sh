#!/bin/sh
# Starts the unit, and waits up to two minutes until the server is ready: `systemctl start` doesn't wait.
# As root: sh examples/systemd/start.sh
set -eu
HOST= PORT=
eval "$(grep -E '^(HOST|PORT)=' /etc/staff-dashboard/environment)"
case $HOST in *:*) HOST="[$HOST]" ;; esac
url=http://${HOST:-127.0.0.1}:${PORT:-3000}/readyz
systemctl start staff-dashboard
waited=0
until node -e 'fetch(process.argv[1]).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))' "$url"; do
  waited=$((waited + 1))
  if [ $waited -ge 120 ]; then
    echo "$url doesn't answer that the server is ready. To see why: journalctl -u staff-dashboard -n 20" >&2
    exit 1
  fi
  sleep 1
done
