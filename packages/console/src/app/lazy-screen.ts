import { lazyScreenTimeoutMs } from '@headgate/contract';

/** Rejects when code does not load in time, so that the page can offer a retry. */
export async function withTimeout<T>(load: () => Promise<T>, timeoutMs: number = lazyScreenTimeoutMs): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('The page took too long to load')), timeoutMs);
  try {
    return await Promise.race([load(), promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Replaces the browser's error message for a missing file. The router would treat the original as a new release and
 * reload the page, which is blank while the gateway is down.
 */
export async function loadScreen<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await withTimeout(load);
  } catch (error) {
    throw new Error(`No files: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
