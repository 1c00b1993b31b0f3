#!/bin/sh
# Starts and stops the server of this checkout in the background: sh examples/server.sh start|stop|restart [NAME]
# NAME names its files: `server.log`, `server.pid` and `server.settings` unless given. Needs `npm run build`.
# `start` ends when the server answers, or with 1 and its last lines. `stop` ends when it has finished what was under way.
# PORT and METRICS_ADDRESS of a start are kept in NAME.settings for the next one.
set -eu
# The log says who asked for what.
umask 077
cd "$(dirname "$0")/.."
program=$(pwd -P)/bin/staff-dashboard
act=${1:?start, stop or restart}
name=${2:-server}

# After a reboot the number may belong to another program. In a copied checkout it is the other one's server.
running() {
  [ -f "$name.pid" ] && ps -ww -p "$(cat "$name.pid")" -o args= | grep -qF " $program"
}

stop() {
  if running; then kill "$(cat "$name.pid")"; fi
  while running; do sleep 0.5; done
  rm -f "$name.pid"
}

# Two servers of one checkout differ in these, so neither can come from .env.
use_settings() {
  touch "$name.settings"
  while read -r setting; do
    # What this start is given wins over what was kept.
    env | grep -q "^${setting%%=*}=" || export "$setting"
  done < "$name.settings"
  kept=$(env | grep -E '^(PORT|METRICS_ADDRESS)=' || true)
  if [ -n "$kept" ]; then echo "$kept" > "$name.settings"; fi
}

start() {
  if running; then echo "It runs already, as process $(cat "$name.pid")" >&2; exit 1; fi
  use_settings
  touch "$name.log"
  before=$(wc -c < "$name.log")
  said() { tail -c "+$((before + 1))" "$name.log"; }
  nohup "$program" serve >> "$name.log" 2>&1 < /dev/null &
  pid=$!
  echo "$pid" > "$name.pid"
  until said | grep ' is at http'; do
    sleep 0.5
    if ! kill -0 "$pid" 2> /dev/null; then
      said | tail -n 5 >&2
      rm -f "$name.pid"
      exit 1
    fi
  done
  said | grep '^The build ' >&2 || true
}

case $act in
  start) start ;;
  stop) stop ;;
  restart) stop; start ;;
  *) echo "Usage: sh examples/server.sh start|stop|restart [NAME]" >&2; exit 1 ;;
esac
