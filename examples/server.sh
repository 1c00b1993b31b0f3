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

fail() {
  echo "$1" >&2
  exit 1
}

# After a reboot the number may belong to another program. In a copied checkout it is the other one's server.
# Its folder is compared, not its program: a checkout can move, and `ps` changes letters that the locale lacks.
running() {
  [ -f "$name.pid" ] || return 1
  pid=$(cat "$name.pid")
  if ! [ -d /proc/self ]; then
    ps -ww -p "$pid" -o args= | grep -qF " $program"
    return
  fi
  # The folder first: an ending process loses its arguments before it.
  folder=$(readlink "/proc/$pid/cwd" || true)
  tr '\0' ' ' 2> /dev/null < "/proc/$pid/cmdline" | grep -qF /bin/staff-dashboard || return 1
  [ -n "$folder" ] || fail "Process $pid belongs to $(ps -p "$pid" -o user=). Run this as that user."
  [ "$folder" = "$(pwd -P)" ]
}

stop() {
  waited=0
  if running; then kill "$pid"; fi
  while running; do
    sleep 0.5
    waited=$((waited + 1))
    [ $waited -ne 20 ] || echo "Waiting for process $pid to finish. If it is stuck, end it: kill -9 $pid" >&2
  done
  rm -f "$name.pid"
}

# Two servers of one checkout differ in these, so neither can come from .env.
use_settings() {
  [ -w . ] || fail "This user can't write in $(pwd -P). Run this as its owner: $(ls -ld . | awk '{ print $3 }')"
  touch "$name.settings"
  while read -r setting; do
    # What this start is given wins over what was kept.
    env | grep -q "^${setting%%=*}=" || export "$setting"
  done < "$name.settings"
  kept=$(env | grep -E '^(PORT|METRICS_ADDRESS)=' || true)
  [ -n "$kept" ] || return 0
  echo "$kept" > "$name.settings"
  for setting in $kept; do
    if grep -qs "^${setting%%=*}=" .env && ! grep -qxF "$setting" .env; then
      echo "$name.settings keeps $setting for this server. To use the one in .env, remove $name.settings" >&2
    fi
  done
}

# A working server is not stopped for settings that the next one refuses.
check() {
  ! running || said=$("$program" check --start 2>&1) || fail "$(echo "$said" | grep -vE '^(ok|skipped) ')"
}

start() {
  if running; then fail "It runs already, as process $pid"; fi
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
  start) use_settings; start ;;
  stop) stop ;;
  restart) use_settings; check; stop; start ;;
  *) echo "Usage: sh examples/server.sh start|stop|restart [NAME]" >&2; exit 1 ;;
esac
