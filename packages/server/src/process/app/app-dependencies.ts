import type { Timeouts } from '@headgate/relay';
import type { Logger } from 'pino';
import type { PaymentTiming } from '../../accounts/create-payments.ts';
import type { SsoDependencies } from '../../accounts/create-sso.ts';
import type { Config } from '../../config.ts';
import type { AlertTiming } from '../../observability/alerts/alert-timing.ts';
import type { OtherWorkersMetrics } from '../../observability/metrics/exposition.ts';
import type { ServerIdentity } from '../../observability/status/server-identity.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Shutdown } from '../../platform/runtime/shutdown.ts';
import type { IdleTimeouts } from '../../relay/leases/idle-callers.ts';

/** External dependencies of the app: settings, an open database, and timings that tests shorten. */
export interface AppDependencies {
  readonly config: Config;
  readonly database: Database;
  /** Connections for the relay; `database` if undefined. */
  readonly relayDatabase?: Database | undefined;
  /** Connections for charges; `database` if undefined. */
  readonly chargeDatabase?: Database | undefined;
  readonly logger: Logger;
  /**
   * Begins before the app closes, so that load balancers have stopped sending requests by then; created with the app by
   * default.
   */
  readonly shutdown?: Shutdown;
  readonly identity: ServerIdentity;
  /** Metrics of the other worker processes on the same port; undefined for a single process. */
  readonly gatheredMetrics?: OtherWorkersMetrics | undefined;
  /** Folder of the built console. */
  readonly consoleDir: string;
  /** Folder of the built documentation. */
  readonly docsDir: string;
  /** Upstream timeouts; from the options by default. */
  readonly upstreamTimeouts?: Timeouts;
  /** How long a client may stop reading its response; two minutes by default. */
  readonly readerPatienceMs?: number;
  /** How long a body may make almost no progress. */
  readonly bodyPatienceMs?: number;
  /** How long token counting may take before tokens are estimated; two seconds by default. */
  readonly countingPatienceMs?: number;
  /** How long the response to a change waits until other nodes confirm it; one second by default. */
  readonly confirmingPatienceMs?: number;
  /** How long usage responses are cached; half a minute by default. */
  readonly usageCacheMs?: number;
  /**
   * Times after which unused points are returned (seconds by default) and idle users are evicted (minutes by default).
   */
  readonly idleTimes?: IdleTimeouts | undefined;
  /** Clock for cooldowns, in Unix seconds, and how often they are checked. */
  readonly pausing?: { readonly clock: () => number; readonly everyMs: number } | undefined;
  /** Interval for deleting expired payloads, and the memory limit for payloads waiting to be stored. */
  readonly keptBodies?: { readonly sweepEveryMs?: number; readonly maxBytes?: number } | undefined;
  /** Free bytes on the disk of the SQLite file; from the operating system by default. */
  readonly freeBytes?: () => Promise<number>;
  /** Clock and interval of alerts. */
  readonly alertPace?: AlertTiming;
  /** Clock and interval of queries about open orders. */
  readonly paymentTiming?: PaymentTiming;
  /** Addresses from which images may be fetched; the public internet by default. */
  readonly isOpenAddress?: (address: string) => boolean;
  /** TXT records of domains of organizations; from DNS by default. */
  readonly resolveTxt?: SsoDependencies['resolveTxt'];
  readonly domainCheckMs?: SsoDependencies['domainCheckMs'];
}
