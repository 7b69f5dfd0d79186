import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledProgram, compileCache, shortRunFlags } from './bundled-program.ts';
import { startProgram } from './start-program.ts';

/** A running gateway on a loopback port, with its own data folder. */
export interface Gateway {
  readonly url: string;
  readonly folder: string;
  /** Shuts down gracefully and deletes the data folder. */
  stop(): Promise<void>;
}

/** Disables rate limits, because tests send more requests than the defaults allow. */
const unlimitedRates = { API_RATE_LIMIT: '0', CRITICAL_RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' };

/** Reduces the time of a password check from 25 ms to 0.2 ms. */
const cheapPasswords = { PASSWORD_HASH_KIB: '8' };

/** Starts a gateway in its own process. Only these settings apply, not the developer's environment or .env file. */
export async function startGateway(
  settings: Readonly<Record<string, string>> = {},
  program = bundledProgram('main.ts'),
): Promise<Gateway> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-test-'));
  const environment = {
    NODE_COMPILE_CACHE: compileCache,
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'warn',
    SHUTDOWN_DRAIN_SECONDS: '0',
    ...unlimitedRates,
    ...cheapPasswords,
    ...settings,
  };
  const { url, end } = await startProgram([...shortRunFlags, program], { folder, environment });
  const stop = async () => {
    await end();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, folder, stop };
}
