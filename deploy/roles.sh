#!/bin/sh
# Make the room's database and its roles (casino/grants.py): brush owns it, brush_runtime serves, brush_sealer adds seals.
# As a superuser of the server, once; done again it sets the passwords anew. What the last two may do is granted by
# `manage.py migrate`.
#
# PostgreSQL's image runs it when a volume is new. In any other server: PGHOST=... POSTGRES_USER=postgres
# BRUSH_OWNER_PASSWORD=... BRUSH_RUNTIME_PASSWORD=... BRUSH_SEALER_PASSWORD=... sh deploy/roles.sh
set -eu
: "${BRUSH_OWNER_PASSWORD:?}" "${BRUSH_RUNTIME_PASSWORD:?}" "${BRUSH_SEALER_PASSWORD:?}"

psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\getenv owner_password BRUSH_OWNER_PASSWORD
\getenv runtime_password BRUSH_RUNTIME_PASSWORD
\getenv sealer_password BRUSH_SEALER_PASSWORD
SELECT 'CREATE ROLE brush LOGIN CREATEDB' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'brush') \gexec
SELECT 'CREATE ROLE brush_runtime LOGIN' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'brush_runtime') \gexec
SELECT 'CREATE ROLE brush_sealer LOGIN' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'brush_sealer') \gexec
ALTER ROLE brush PASSWORD :'owner_password';
ALTER ROLE brush_runtime PASSWORD :'runtime_password';
ALTER ROLE brush_sealer PASSWORD :'sealer_password';
-- Whoever drops a database has to be able to end those who are connected.
SELECT 'GRANT brush_runtime TO brush' WHERE NOT pg_has_role('brush', 'brush_runtime', 'MEMBER') \gexec
SELECT 'GRANT brush_sealer TO brush' WHERE NOT pg_has_role('brush', 'brush_sealer', 'MEMBER') \gexec
SELECT 'CREATE DATABASE brush OWNER brush' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'brush') \gexec
SQL
