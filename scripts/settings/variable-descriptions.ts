import type { EnvVariableName } from '../../packages/server/src/config.ts';

export interface VariableDescription {
  /** Default value as a user would write it; absent if there is none. */
  readonly usual?: string;
  readonly means: string;
}

export interface VariableGroup {
  readonly title: string;
  readonly variables: Readonly<Partial<Record<EnvVariableName, VariableDescription>>>;
}

/** Descriptions of all environment variables, in the order of the page. */
export const variableGroups: readonly VariableGroup[] = [
  {
    title: 'Network',
    variables: {
      HOST: { usual: '127.0.0.1', means: 'Address to listen on. `0.0.0.0`: all addresses.' },
      PORT: { usual: '3000', means: 'Port to listen on. `0`: any free port.' },
      PUBLIC_URL: { means: 'Public URL of the gateway, if the option `ServerAddress` is empty.' },
      TRUSTED_PROXIES: {
        means:
          'Addresses or CIDR ranges of [proxies](reverse-proxy.md), separated by commas. Only their `X-Forwarded-*` headers are trusted.',
      },
    },
  },
  {
    title: 'Data',
    variables: {
      DATA_DIR: { usual: './data', means: 'Folder of the SQLite database and other files of the gateway.' },
      DATABASE_URL: {
        means: 'PostgreSQL: `postgres://user:password@host:5432/name`. Not set: SQLite in `DATA_DIR`.',
      },
      SQLITE_SYNCHRONOUS: {
        usual: 'normal',
        means:
          'SQLite durability. `normal`: charges and changes survive a crash of the process. `full`: also a power cut, with a disk sync for every commit.',
      },
      CONFIG_FILE: {
        means: '[Configuration file](configuration-as-code.md), applied at start. An invalid file stops the start.',
      },
      SECRET_KEY: {
        means:
          'Key that encrypts provider keys, tokens and other secrets in the database, at least 16 characters. All nodes need the same key. Not set: created at the first start as `secret.key` in `DATA_DIR`.',
      },
      DATABASE_WAIT_SECONDS: {
        usual: '30',
        means: 'How long the start waits for PostgreSQL. `0`: does not wait.',
      },
      DATABASE_STATEMENT_SECONDS: {
        usual: '30',
        means: 'Statement timeout on PostgreSQL. The relay uses at most 10.',
      },
      DATABASE_LOCK_SECONDS: { usual: '5', means: 'Lock timeout on PostgreSQL.' },
      DATABASE_IDLE_SECONDS: {
        usual: '5',
        means: 'Timeout of idle transactions on PostgreSQL.',
      },
    },
  },
  {
    title: 'First start and commands',
    variables: {
      ROOT_PASSWORD: {
        means:
          'Password of `root`, 8 to 200 characters, used when the first start creates the account. Not set: `123456`, which works only from the machine itself.',
      },
      EXPORT_PASSPHRASE: {
        means:
          'Passphrase of `headgate export` and `headgate restore`. Not set: the commands prompt for it. Not used by the server.',
      },
      IMPORT_FROM: {
        means:
          'Source of `headgate import` instead of `--from`: a file or a database address. Keeps the password out of the process list. Not used by the server.',
      },
    },
  },
  {
    title: 'Passwords',
    variables: {
      PASSWORD_HASH_KIB: {
        usual: '19456',
        means:
          'Memory of a password hash (Argon2id, two passes), 8 to 1048576 KiB. Existing hashes keep their cost until the password changes. A value below the default logs a warning; use it in tests only.',
      },
    },
  },
  {
    title: 'Processes',
    variables: {
      WORKERS: {
        usual: '1',
        means:
          'Number of worker processes behind the port, or `auto` for one per core. Needs PostgreSQL; each worker uses up to 20 connections. A crashed worker is replaced. SIGHUP replaces all workers one by one; with `1`, SIGHUP acts like SIGTERM.',
      },
      NODE_NAME: {
        means:
          'Name of this process in the console and the log, with several nodes on one PostgreSQL. Not set: the host name.',
      },
      SHUTDOWN_DRAIN_SECONDS: {
        usual: '5',
        means:
          'How long the process keeps serving after SIGTERM while `/readyz` returns 503. Use more than the interval of the load balancer’s health check.',
      },
      SHUTDOWN_GRACE_SECONDS: {
        usual: '25',
        means:
          'How long in-flight requests then have to finish. Longer streams end with an error and are charged. Let the supervisor wait about ten seconds longer than both values before it kills the process.',
      },
      LOG_LEVEL: {
        usual: 'info',
        means: 'Log level: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
      },
    },
  },
  {
    title: 'Sizes and rate limits',
    variables: {
      MAX_BODY_MB: {
        usual: '64',
        means: 'Maximum size of a request body in megabytes, including files and stored responses that it refers to.',
      },
      BODY_BUDGET_MB: {
        usual: '256',
        means:
          'Maximum size of all in-flight request bodies in megabytes; one user may use half. Memory use can be three times as much.',
      },
      API_RATE_LIMIT: {
        usual: '1000',
        means:
          'Calls of `/api` per client address in 3 minutes. `0`: no limit. Behind a proxy that is not in `TRUSTED_PROXIES`, all clients count as one address.',
      },
      CRITICAL_RATE_LIMIT: {
        usual: '20',
        means:
          'Calls for registration, verification, password reset and provider login per client address in 20 minutes. `0`: no limit.',
      },
      LOGIN_RATE_LIMIT: {
        usual: '10',
        means:
          'Failed logins at one account in 15 minutes after which a client address is blocked for 15 minutes; three times as many at all accounts together. After as many failures from unknown addresses, further unknown addresses are slowed down. `0`: no limit.',
      },
    },
  },
  {
    title: 'For tests only',
    variables: {
      LOGIN_PROVIDER_URLS: {
        means:
          'JSON such as `{"github":"http://127.0.0.1:9000"}` that replaces the addresses of `github`, `lark`, `turnstile` or `stripe`. Rejected if `HOST` or one of the addresses is not this machine, unless it contains `"onPurpose":true`.',
      },
    },
  },
  {
    title: 'Traces',
    variables: {
      OTEL_EXPORTER_OTLP_ENDPOINT: {
        means: 'Collector for [traces](traces.md); `/v1/traces` is appended. Not set: no traces.',
      },
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { means: 'Full URL for traces. Takes precedence.' },
      OTEL_EXPORTER_OTLP_PROTOCOL: { means: '`http/json` or `http/protobuf`. JSON is sent for both.' },
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: { means: 'The same for traces. Takes precedence.' },
      OTEL_EXPORTER_OTLP_HEADERS: { means: 'Headers for the collector: `key=value,key2=value2`.' },
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: { means: 'The same for traces. Takes precedence.' },
      OTEL_EXPORTER_OTLP_TIMEOUT: { usual: '10000', means: 'Timeout of one export in milliseconds.' },
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: { means: 'The same for traces. Takes precedence.' },
      OTEL_TRACES_SAMPLER: {
        usual: 'parentbased_always_on',
        means: '`always_on`, `always_off`, `traceidratio`, each also with the prefix `parentbased_`.',
      },
      OTEL_TRACES_SAMPLER_ARG: { usual: '1', means: 'Sampling ratio of `traceidratio`, from 0 to 1.' },
      OTEL_SERVICE_NAME: { usual: 'headgate', means: 'Service name.' },
      OTEL_RESOURCE_ATTRIBUTES: { means: 'Resource attributes: `key=value,key2=value2`.' },
      OTEL_PROPAGATORS: {
        usual: 'tracecontext',
        means: 'Without `tracecontext`, the trace context of clients is neither read nor forwarded.',
      },
      OTEL_BSP_SCHEDULE_DELAY: { usual: '5000', means: 'Interval between exports in milliseconds.' },
      OTEL_BSP_MAX_QUEUE_SIZE: { usual: '2048', means: 'Maximum number of queued spans.' },
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: { usual: '512', means: 'Maximum number of spans per export.' },
      OTEL_TRACES_EXPORTER: { usual: 'otlp', means: '`none`: no traces.' },
      OTEL_SDK_DISABLED: { usual: 'false', means: '`true`: no traces.' },
    },
  },
];
