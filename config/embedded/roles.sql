-- The three roles of Memoir and the database they share. Run it with psql as a superuser; it may be run again.
-- The passwords come from the environment, so that they stand in no command line and no history:
--
--     SCHEMA_PASSWORD=… APP_PASSWORD=… psql --file roles.sql --dbname postgres
\set ON_ERROR_STOP on
\set QUIET on
SET client_min_messages = warning;
\getenv schema_password SCHEMA_PASSWORD
\getenv app_password APP_PASSWORD
\if :{?database}
\else
  \set database memoir
\endif

-- memoir_schema owns the tables, migrates and backs up.
-- memoir_app is what web and worker sign in as: row-level security holds for it.
-- memoir_ops, which nobody can sign in as, sees what sweeps and the admin's queues need.
SELECT format('CREATE ROLE %I', wanted)
  FROM unnest(ARRAY['memoir_schema', 'memoir_app', 'memoir_ops']) AS wanted
 WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) \gexec

ALTER ROLE memoir_schema LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD :'schema_password';
ALTER ROLE memoir_app LOGIN NOINHERIT NOSUPERUSER NOBYPASSRLS PASSWORD :'app_password';
ALTER ROLE memoir_ops NOLOGIN NOSUPERUSER NOBYPASSRLS;

ALTER ROLE memoir_app SET statement_timeout = '5s';
ALTER ROLE memoir_app SET lock_timeout = '2s';
ALTER ROLE memoir_app SET idle_in_transaction_session_timeout = '15s';

-- memoir_app may become memoir_ops (SET ROLE), and has none of its rights until it does.
SELECT current_setting('server_version_num')::int >= 160000 AS grants_have_options \gset
\if :grants_have_options
  GRANT memoir_ops TO memoir_app WITH INHERIT FALSE, SET TRUE;
\else
  GRANT memoir_ops TO memoir_app;
\endif

\if :{?for_tests}
  -- Only where the test suite runs: it creates its own database.
  ALTER ROLE memoir_schema CREATEDB;
\endif

SELECT format('CREATE DATABASE %I OWNER memoir_schema ENCODING ''UTF8'' TEMPLATE template1', :'database')
 WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'database') \gexec

\connect :"database"
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE, CREATE ON SCHEMA public TO memoir_schema;
GRANT USAGE ON SCHEMA public TO memoir_app, memoir_ops;

-- What migrations make from now on. TRUNCATE is missing on purpose: it passes row-level security by.
ALTER DEFAULT PRIVILEGES FOR ROLE memoir_schema IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO memoir_app, memoir_ops;
ALTER DEFAULT PRIVILEGES FOR ROLE memoir_schema IN SCHEMA public
  GRANT USAGE, SELECT ON SEQUENCES TO memoir_app, memoir_ops;
