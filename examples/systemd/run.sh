#!/bin/sh
# Runs a command with the unit's user and settings. As root: sh examples/systemd/run.sh admin list-people
# Relative paths start at the checkout.
exec systemd-run --quiet --pipe --wait --uid=staff-dashboard --working-directory=/opt/staff-dashboard \
  -p StateDirectory=staff-dashboard -p StateDirectoryMode=0700 \
  -p EnvironmentFile=/etc/staff-dashboard/environment \
  -p 'Environment=NODE_ENV=production APP_ENV=production DATA_DIR=/var/lib/staff-dashboard' \
  /opt/staff-dashboard/bin/staff-dashboard "$@"
