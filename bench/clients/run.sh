#!/usr/bin/env bash
# Drives the built binary with real MCP clients and checks what they get:
# the inspector, mcporter, the conformance suite, the Go SDK, and bare pipes.
#
#   bench/clients/run.sh [BINARY] [GROUP…]     groups: inspector mcporter conformance gosdk lifetime readme
#
# Prints one line a check and "N passed, N failed"; exit status 1 if any failed,
# 2 if the clients cannot be installed. Needs Go, npm and a network the first
# time; Node 24 and the clients go into ${XDG_CACHE_HOME:-.cache}.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cache=${XDG_CACHE_HOME:-$root/.cache}/agent-memory-clients
mkdir -p "$cache"

install_clients() {
  command -v npm >/dev/null || { echo "npm is missing: install Node.js (any version; it fetches Node 24 itself)" >&2; exit 2; }
  cp "$here/package.json" "$cache/package.json.wanted"
  cmp -s "$cache/package.json.wanted" "$cache/package.json.installed" && return
  echo "installing the clients into $cache" >&2
  cp "$here/package.json" "$cache/package.json"
  (cd "$cache" && npm install --no-audit --no-fund --no-package-lock --loglevel=error >&2) || { echo "npm could not install the clients" >&2; exit 2; }
  cp "$here/package.json" "$cache/package.json.installed"
}

install_clients
binary=${1:-}
[ $# -gt 0 ] && shift
if [ -z "$binary" ]; then
  binary=$cache/agent-memory
  (cd "$root" && CGO_ENABLED=0 go build -o "$binary" ./cmd/agent-memory)
fi
(cd "$here/gosdk" && GOFLAGS=-mod=mod go build -o "$cache/gosdk" .)
export PATH="$cache/node_modules/node/bin:$cache/node_modules/.bin:$PATH"
exec node "$here/run.mjs" "$binary" "$cache" "$@"
