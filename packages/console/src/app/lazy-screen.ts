import { lazyScreenTimeoutMs } from '@headgate/contract';

/** Gives up on code that does not arrive, so that the page can say so and offer another try. */
export async function withinTime<T>(load: () => Promise<T>, timeoutMs: number = lazyScreenTimeoutMs): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('The page took too long to load')), timeoutMs);
  try {
    return await Promise.race([load(), promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The code of a page did not come. In words of our own: the router takes the browser's for a new release and loads the page
 * anew, which shows nothing of ours while the gateway is gone.
 */
export async function screenOf<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await withinTime(load);
  } catch (error) {
    throw new Error(`No files: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
