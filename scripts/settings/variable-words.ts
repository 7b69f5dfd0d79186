import type { SettingName } from '../../packages/server/src/config.ts';

export interface VariableWords {
  /** Default, as it would be written; absent where there is none. */
  readonly usual?: string;
  readonly means: string;
}

export interface VariableGroup {
  readonly title: string;
  readonly variables: Readonly<Partial<Record<SettingName, VariableWords>>>;
}

/** Descriptions of all environment variables, in the order of the page. */
export const variableGroups: readonly VariableGroup[] = [
  {
    title: 'Network',
    variables: {
      HOST: { usual: '127.0.0.1', means: 'address to listen on; `0.0.0.0` for all' },
      PORT: { usual: '3000', means: 'port to listen on; `0`: any free port' },
      PUBLIC_URL: { means: 'public URL of the gateway, used when the option *Server address* is empty' },
      TRUSTED_PROXIES: {
        means:
          'addresses or CIDR ranges, separated by commas, whose `X-Forwarded-*` headers are trusted ([behind a proxy](behind-a-proxy.md))',
      },
    },
  },
  {
    title: 'Data',
    variables: {
      DATA_DIR: { usual: './data', means: 'folder of the SQLite database and other files of the gateway' },
      DATABASE_URL: {
        means: '`postgres://user:password@host:5432/name` to use PostgreSQL; default: SQLite in `DATA_DIR`',
      },
      SQLITE_SYNCHRONOUS: {
        usual: 'normal',
        means:
          '`normal`: charges and changes on SQLite survive a crash of the process; `full`: also a power failure, at the cost of a disk sync per commit',
      },
      CONFIG_FILE: {
        means:
          'a [configuration file](as-code.md), applied before the server starts to serve; an invalid file prevents the start',
      },
      SECRET_KEY: {
        means:
          'encrypts provider keys, tokens and other secrets in the database, at least 16 characters; must be the same on every node. Default: generated at the first start and stored in `DATA_DIR` as `secret.key`',
      },
      DATABASE_WAIT_SECONDS: {
        usual: '30',
        means: 'how long a start waits for an unreachable PostgreSQL; `0`: not at all',
      },
      DATABASE_STATEMENT_SECONDS: {
        usual: '30',
        means: 'statement timeout on PostgreSQL; at most 10 for statements of the relay',
      },
      DATABASE_LOCK_SECONDS: { usual: '5', means: 'lock timeout for rows locked by another node' },
      DATABASE_IDLE_SECONDS: {
        usual: '5',
        means: 'idle timeout after which PostgreSQL ends a transaction of an unresponsive node',
      },
    },
  },
  {
    title: 'First start and commands',
    variables: {
      ROOT_PASSWORD: {
        means:
          'password of the account `root`, 8 to 200 characters, used when the first start creates it; default: `123456`, which works only from the machine itself',
      },
      EXPORT_PASSPHRASE: {
        means:
          'encrypts files of `headgate export` and decrypts them for `headgate restore`; prompted for when not set. Not used by the server',
      },
      IMPORT_FROM: {
        means:
          'source of `headgate import` without `--from`: a file, or a URL with a password, which the command line would expose. Not used by the server',
      },
    },
  },
  {
    title: 'Passwords',
    variables: {
      PASSWORD_HASH_KIB: {
        usual: '19456',
        means:
          'memory of a password hash (Argon2id, two passes), 8 to 1048576 KiB. Existing hashes keep their cost until the password changes. A value below the default is logged as a warning; use it in tests only',
      },
    },
  },
  {
    title: 'Processes',
    variables: {
      WORKERS: {
        usual: '1',
        means:
          'number of worker processes behind the port, or `auto` for one per core; requires PostgreSQL, with up to 20 connections per worker. A worker that dies is replaced; SIGHUP replaces all of them one by one. Without workers, SIGHUP shuts the process down like SIGTERM',
      },
      NODE_NAME: {
        means:
          'name of this node in the console and the log, when several share one PostgreSQL; default: the host name',
      },
      SHUTDOWN_DRAIN_SECONDS: {
        usual: '5',
        means:
          'how long the server keeps serving after SIGTERM while `/readyz` returns 503; set it longer than the health check interval of your load balancer',
      },
      SHUTDOWN_GRACE_SECONDS: {
        usual: '25',
        means:
          'how long in-flight requests then have to finish; longer streams are ended with an error and charged. Allow about ten seconds more than both before the process is killed',
      },
      LOG_LEVEL: {
        usual: 'info',
        means: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`: log level of the process',
      },
    },
  },
  {
    title: 'Request limits',
    variables: {
      MAX_BODY_MB: {
        usual: '64',
        means:
          'maximum size of a relayed request body, including files and stored responses it refers to, in megabytes',
      },
      BODY_BUDGET_MB: {
        usual: '256',
        means:
          'maximum total size of in-flight request bodies, in megabytes; one user may use half of it. Actual memory use may be three times as much',
      },
      API_RATE_LIMIT: {
        usual: '1000',
        means:
          '`/api` requests per address in 3 minutes; `0`: no limit. Behind a proxy that is not in `TRUSTED_PROXIES`, all clients share one address',
      },
      CRITICAL_RATE_LIMIT: {
        usual: '20',
        means:
          'requests per address in 20 minutes to register, verify, reset and sign in with external providers; `0`: no limit',
      },
      LOGIN_RATE_LIMIT: {
        usual: '10',
        means:
          'failed logins in 15 minutes after which an address must wait, and an account delays logins from unknown addresses; three times as many for all accounts of one address; `0`: no limit',
      },
    },
  },
  {
    title: 'For tests only',
    variables: {
      LOGIN_PROVIDER_URLS: {
        means:
          'JSON such as `{"github":"http://127.0.0.1:9000"}` that replaces the URLs of `github`, `lark` or `turnstile`. Rejected when `HOST` or one of the URLs is not this machine, unless it also contains `"onPurpose":true`',
      },
    },
  },
  {
    title: 'Traces',
    variables: {
      OTEL_EXPORTER_OTLP_ENDPOINT: {
        means: 'URL of the [trace](traces.md) collector; `/v1/traces` is appended. Default: no traces',
      },
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { means: 'full URL for traces; takes precedence' },
      OTEL_EXPORTER_OTLP_PROTOCOL: { means: '`http/json` or `http/protobuf`; JSON is sent for both' },
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: { means: 'the same for traces; takes precedence' },
      OTEL_EXPORTER_OTLP_HEADERS: { means: 'headers for the collector: `key=value,key2=value2`' },
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: { means: 'the same for traces; takes precedence' },
      OTEL_EXPORTER_OTLP_TIMEOUT: { usual: '10000', means: 'timeout of one export in milliseconds' },
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: { means: 'the same for traces; takes precedence' },
      OTEL_TRACES_SAMPLER: {
        usual: 'parentbased_always_on',
        means: '`always_on`, `always_off`, `traceidratio`, each also with the prefix `parentbased_`',
      },
      OTEL_TRACES_SAMPLER_ARG: { usual: '1', means: 'share of traces that `traceidratio` keeps, from 0 to 1' },
      OTEL_SERVICE_NAME: { usual: 'headgate', means: 'service name' },
      OTEL_RESOURCE_ATTRIBUTES: { means: 'resource attributes: `key=value,key2=value2`' },
      OTEL_PROPAGATORS: {
        usual: 'tracecontext',
        means: 'without `tracecontext`, the trace context of clients is neither read nor passed on',
      },
      OTEL_BSP_SCHEDULE_DELAY: { usual: '5000', means: 'milliseconds between exports' },
      OTEL_BSP_MAX_QUEUE_SIZE: { usual: '2048', means: 'maximum number of queued spans' },
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: { usual: '512', means: 'maximum number of spans per export' },
      OTEL_TRACES_EXPORTER: { usual: 'otlp', means: '`none`: no traces' },
      OTEL_SDK_DISABLED: { usual: 'false', means: '`true`: no traces' },
    },
  },
];
