import type { Config } from '../../config.ts';

const seconds = (ms: number): string => String(ms / 1000);
const megabytes = (bytes: number): string => String(bytes / (1024 * 1024));

/** Environment settings that need a restart to change, by variable name; without secrets. */
export const restartSettings = (config: Config): Readonly<Record<string, string>> => ({
  API_RATE_LIMIT: String(config.rateLimits.api.most),
  BODY_BUDGET_MB: megabytes(config.bodies.budget),
  CRITICAL_RATE_LIMIT: String(config.rateLimits.critical.most),
  ...(config.databaseUrl !== undefined && {
    DATABASE_IDLE_SECONDS: seconds(config.databaseLimits.idleMs),
    DATABASE_LOCK_SECONDS: seconds(config.databaseLimits.lockMs),
    DATABASE_STATEMENT_SECONDS: seconds(config.databaseLimits.statementMs),
    DATABASE_WAIT_SECONDS: seconds(config.databaseWaitMs),
  }),
  LOGIN_RATE_LIMIT: String(config.rateLimits.loginAccount.most),
  LOG_LEVEL: config.logLevel,
  MAX_BODY_MB: megabytes(config.bodies.maxBytes),
  PUBLIC_URL: config.publicUrl ?? '',
  SHUTDOWN_DRAIN_SECONDS: seconds(config.shutdownDrainMs),
  SHUTDOWN_GRACE_SECONDS: seconds(config.shutdownGraceMs),
  TRUSTED_PROXIES: config.trustedProxies.join(','),
});
