#!/usr/bin/env bash
# Installs the Debian packages that the tests need; without root it only says which are missing.
set -euo pipefail

# program -> Debian package that brings it
declare -A package_of=(
  [shellcheck]=shellcheck
  [git]=git
  [chromium]=chromium # opens the explorer; driven over its own pipe, so no chromium-driver
  [makeself]=makeself
  [openssl]=openssl
  [curl]=curl
  [promtool]=prometheus
  [dash]=dash
  [zsh]=zsh
  [fish]=fish
  [gcc]=build-essential # with the headers of the C library
)

missing=()
for program in "${!package_of[@]}"; do
  command -v "$program" >/dev/null || missing+=("${package_of[$program]}")
done
[ "${#missing[@]}" -eq 0 ] && exit 0

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "the tests need these packages: ${missing[*]}" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get install -y -qq "${missing[@]}" >/dev/null 2>&1 || {
  apt-get update -qq
  apt-get install -y -qq "${missing[@]}" >/dev/null
}
