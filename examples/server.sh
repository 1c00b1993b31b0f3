#!/bin/sh
# Starts and stops the server of this checkout in the background: sh examples/server.sh start|stop|restart [NAME]
# NAME names the files for its log and its process, `server.log` and `server.pid` unless given. Needs `npm run build`.
# `start` ends when the server answers, or with 1 and its last lines. `stop` ends when it has finished what was under way.
set -eu
cd "$(dirname "$0")/.."
act=${1:?start, stop or restart}
name=${2:-server}

# After a reboot the number may belong to another program.
running() {
  [ -f "$name.pid" ] && ps -p "$(cat "$name.pid")" -o args= | grep -q bin/staff-dashboard
}

stop() {
  if running; then kill "$(cat "$name.pid")"; fi
  while running; do sleep 0.5; done
  rm -f "$name.pid"
}

start() {
  if running; then echo "It runs already, as process $(cat "$name.pid")" >&2; exit 1; fi
  touch "$name.log"
  before=$(wc -c < "$name.log")
  nohup bin/staff-dashboard serve >> "$name.log" 2>&1 < /dev/null &
  pid=$!
  echo "$pid" > "$name.pid"
  until tail -c "+$((before + 1))" "$name.log" | grep ' is at http'; do
    sleep 0.5
    if ! kill -0 "$pid" 2> /dev/null; then
      tail -n 5 "$name.log" >&2
      rm -f "$name.pid"
      exit 1
    fi
  done
}

case $act in
  start) start ;;
  stop) stop ;;
  restart) stop; start ;;
  *) echo "Usage: sh examples/server.sh start|stop|restart [NAME]" >&2; exit 1 ;;
esac
