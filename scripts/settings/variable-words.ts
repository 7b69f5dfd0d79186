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
    title: 'Where it listens',
    variables: {
      HOST: { usual: '127.0.0.1', means: 'address to listen on; `0.0.0.0` for all' },
      PORT: { usual: '3000', means: 'port to listen on; `0`: any that is free' },
      PUBLIC_URL: { means: 'where people reach the gateway, when the option *Server address* is empty' },
      TRUSTED_PROXIES: {
        means:
          'addresses or CIDR ranges, separated by commas, whose `X-Forwarded-*` headers are believed ([behind a proxy](behind-a-proxy.md))',
      },
    },
  },
  {
    title: 'Data',
    variables: {
      DATA_DIR: { usual: './data', means: "where SQLite and the gateway's own files live" },
      DATABASE_URL: {
        means: '`postgres://user:password@host:5432/name` to use PostgreSQL; unless set, SQLite in `DATA_DIR`',
      },
      SQLITE_SYNCHRONOUS: {
        usual: 'normal',
        means:
          '`normal`: charges and changes on SQLite survive a crash of the process; `full`: also a power cut, at the price of a disk sync for every commit',
      },
      CONFIG_FILE: {
        means: 'a [configuration file](as-code.md), applied before the server serves; a broken one refuses the start',
      },
      SECRET_KEY: {
        means:
          'seals provider keys, tokens and other secrets in the database, at least 16 characters; every node needs the same. Unless set, one is made at the first start and kept in `DATA_DIR` as `secret.key`',
      },
      DATABASE_WAIT_SECONDS: {
        usual: '30',
        means: 'how long a start waits for a PostgreSQL that cannot be reached yet; `0`: not at all',
      },
      DATABASE_STATEMENT_SECONDS: {
        usual: '30',
        means: 'how long a statement may take on PostgreSQL; those of the relay never get more than 10',
      },
      DATABASE_LOCK_SECONDS: { usual: '5', means: 'how long one waits for rows that another node has locked' },
      DATABASE_IDLE_SECONDS: {
        usual: '5',
        means: 'after how long PostgreSQL ends a transaction of a node that fell silent',
      },
    },
  },
  {
    title: 'The first start, and commands',
    variables: {
      ROOT_PASSWORD: {
        means:
          'password of the account `root`, 8 to 200 characters, read when the first start makes it; unless set it is `123456`, which works only from the machine itself',
      },
      EXPORT_PASSPHRASE: {
        means:
          'seals files of `headgate export`, and opens them for `headgate restore`; unless set it is asked for. The server does not use it',
      },
      IMPORT_FROM: {
        means:
          'where `headgate import` brings things from, when it is not given `--from`: a file, or an address with its password, which the command line would show to others. The server does not use it',
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
          'how many processes serve behind the port, or `auto` for one per core; PostgreSQL only, each takes up to 20 connections to it. One that dies is replaced; SIGHUP replaces all one by one. A process that serves alone ends at SIGHUP as at SIGTERM',
      },
      NODE_NAME: {
        means:
          'what the console and the log call this process where several share one PostgreSQL; unless set, the name of the machine',
      },
      SHUTDOWN_DRAIN_SECONDS: {
        usual: '5',
        means:
          'how long it serves on after SIGTERM while `/readyz` says 503, for balancers to notice; longer than they take between two looks',
      },
      SHUTDOWN_GRACE_SECONDS: {
        usual: '25',
        means:
          'how long running requests then get to finish; streams that last longer are ended with an error and charged. Give the process some ten seconds more than both before it is killed',
      },
      LOG_LEVEL: {
        usual: 'info',
        means: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`: what the process writes about itself',
      },
    },
  },
  {
    title: 'How much at once',
    variables: {
      MAX_BODY_MB: {
        usual: '64',
        means:
          'the largest body of a relayed request, together with the files and stored responses it refers to, in megabytes',
      },
      BODY_BUDGET_MB: {
        usual: '256',
        means:
          'what all bodies of requests under way may take together, in megabytes; half of it for one user. Memory in use may be three times as much',
      },
      API_RATE_LIMIT: {
        usual: '1000',
        means:
          'calls of `/api` that one address may make in 3 minutes; `0`: no limit. Behind a proxy that `TRUSTED_PROXIES` does not name, all clients count as one address',
      },
      CRITICAL_RATE_LIMIT: {
        usual: '20',
        means:
          'calls to register, verify, reset and sign in elsewhere that one address may make in 20 minutes; `0`: no limit',
      },
      LOGIN_RATE_LIMIT: {
        usual: '10',
        means:
          'failed logins in 15 minutes after which a place waits, and an account that strangers guess at makes them wait; three times as many for all accounts of one address; `0`: no limit',
      },
    },
  },
  {
    title: 'For tests only',
    variables: {
      LOGIN_PROVIDER_URLS: {
        means:
          'JSON such as `{"github":"http://127.0.0.1:9000"}` that puts `github`, `lark` or `turnstile` elsewhere. Refused when `HOST` or one of the addresses is not this machine, unless it also says `"onPurpose":true`',
      },
    },
  },
  {
    title: 'Traces',
    variables: {
      OTEL_EXPORTER_OTLP_ENDPOINT: {
        means: 'the collector that [traces](traces.md) go to; `/v1/traces` is added. Unless set there are none',
      },
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { means: 'the whole address for traces; goes before the other' },
      OTEL_EXPORTER_OTLP_PROTOCOL: { means: '`http/json` or `http/protobuf`; JSON is sent for both' },
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: { means: 'the same for traces; goes before the other' },
      OTEL_EXPORTER_OTLP_HEADERS: { means: 'headers for the collector: `key=value,key2=value2`' },
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: { means: 'the same for traces; goes before the other' },
      OTEL_EXPORTER_OTLP_TIMEOUT: { usual: '10000', means: 'milliseconds until one sending is given up' },
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: { means: 'the same for traces; goes before the other' },
      OTEL_TRACES_SAMPLER: {
        usual: 'parentbased_always_on',
        means: '`always_on`, `always_off`, `traceidratio`, and each with `parentbased_` before it',
      },
      OTEL_TRACES_SAMPLER_ARG: { usual: '1', means: 'the share that `traceidratio` keeps, from 0 to 1' },
      OTEL_SERVICE_NAME: { usual: 'headgate', means: 'who sends' },
      OTEL_RESOURCE_ATTRIBUTES: { means: 'more about who sends: `key=value,key2=value2`' },
      OTEL_PROPAGATORS: {
        usual: 'tracecontext',
        means: 'without `tracecontext` in it, the context of clients is neither taken in nor passed on',
      },
      OTEL_BSP_SCHEDULE_DELAY: { usual: '5000', means: 'milliseconds between sendings' },
      OTEL_BSP_MAX_QUEUE_SIZE: { usual: '2048', means: 'spans that wait at most' },
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: { usual: '512', means: 'spans in one sending' },
      OTEL_TRACES_EXPORTER: { usual: 'otlp', means: '`none`: no traces' },
      OTEL_SDK_DISABLED: { usual: 'false', means: '`true`: no traces' },
    },
  },
];
