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
