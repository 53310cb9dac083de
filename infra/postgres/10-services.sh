#!/bin/sh
# Runs once, when the database is empty: a role and a schema for each service. A role may do what it likes in its own schema,
# and nothing anywhere else; CONNECTION LIMIT keeps one service from using up the server's connections.
set -eu

for service in gateway session checks face_biometrics sanctions_screening webhook_dispatcher flow console; do
  variable="$(echo "${service}_DB_PASSWORD" | tr '[:lower:]' '[:upper:]')"
  eval "password=\${$variable:?}"
  psql -v ON_ERROR_STOP=1 --quiet --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
    -v role="kyc_${service}" -v schema="$service" -v password="$password" <<'SQL'
CREATE ROLE :"role" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT 60 PASSWORD :'password';
CREATE SCHEMA :"schema" AUTHORIZATION :"role";
ALTER ROLE :"role" SET search_path = :"schema";
SQL
done

psql -v ON_ERROR_STOP=1 --quiet --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" -v database="$POSTGRES_DB" <<'SQL'
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
SELECT format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO %I', :'database', rolname)
  FROM pg_roles WHERE rolname LIKE 'kyc\_%' AND rolcanlogin \gexec
SQL

# The server starts anew after these scripts. Eight services with three replicas of a pool of 20 fit.
psql -v ON_ERROR_STOP=1 --quiet --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
ALTER SYSTEM SET max_connections = 500;
ALTER SYSTEM SET shared_buffers = '256MB';
SQL
