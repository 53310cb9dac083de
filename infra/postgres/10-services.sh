#!/bin/sh
# Runs once, when the database is empty. Creates a schema and a role for each service, and one role that owns every
# schema and migrates it. A service's role can read and write the rows of its own schema and has no other rights: it
# cannot create, alter or drop tables. Migrations, backup and restore run as the owner. CONNECTION LIMIT prevents one
# service from using up the server's connections.
set -eu

owner="${MIGRATION_DB_PASSWORD:?}"
run() {
  psql -v ON_ERROR_STOP=1 --quiet --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" "$@"
}

run -v password="$owner" <<'SQL'
CREATE ROLE kyc_owner LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT 20 PASSWORD :'password';
SQL

for service in gateway session checks face_biometrics sanctions_screening webhook_dispatcher flow console; do
  variable="$(echo "${service}_DB_PASSWORD" | tr '[:lower:]' '[:upper:]')"
  eval "password=\${$variable:?}"
  run -v role="kyc_${service}" -v schema="$service" -v password="$password" <<'SQL'
CREATE ROLE :"role" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT 60 PASSWORD :'password';
CREATE SCHEMA :"schema" AUTHORIZATION kyc_owner;
ALTER ROLE :"role" SET search_path = :"schema";
GRANT USAGE ON SCHEMA :"schema" TO :"role";
ALTER DEFAULT PRIVILEGES FOR ROLE kyc_owner IN SCHEMA :"schema" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO :"role";
ALTER DEFAULT PRIVILEGES FOR ROLE kyc_owner IN SCHEMA :"schema" GRANT USAGE ON SEQUENCES TO :"role";
SQL
done

run -v database="$POSTGRES_DB" <<'SQL'
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
SELECT format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO %I', :'database', rolname)
  FROM pg_roles WHERE rolname LIKE 'kyc\_%' AND rolcanlogin \gexec
SQL

# The server restarts after these scripts. Eight services with three replicas and a pool of 20 fit.
run <<'SQL'
ALTER SYSTEM SET max_connections = 500;
ALTER SYSTEM SET shared_buffers = '256MB';
SQL
