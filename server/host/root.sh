#!/bin/sh
# What lies beside the program in the root of a container: system for all to read, own for the user it runs as.
#
#   server/host/root.sh DIR
set -eu
[ $# = 1 ] || { sed -n 's/^#   //p' "$0" >&2; exit 2; }

mkdir -p "$1/system/etc/ssl/certs" "$1/own/data"
# Who may vouch for a PostgreSQL that is reached by TLS.
cp /etc/ssl/certs/ca-certificates.crt "$1/system/etc/ssl/certs/"
