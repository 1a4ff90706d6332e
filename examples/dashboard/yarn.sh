#!/usr/bin/env bash
# Yarn and Node.js in the versions of the dashboard, both of them packages, from the registry that npm asks.
set -euo pipefail
YARN_NPM_REGISTRY_SERVER=$(npm config get registry)
export YARN_NPM_REGISTRY_SERVER YARN_ENABLE_TELEMETRY=0
exec npx --yes --package node@24.19.0 --package @yarnpkg/cli-dist@4.17.1 -- yarn "$@"
