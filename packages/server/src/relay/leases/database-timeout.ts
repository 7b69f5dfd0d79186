import { databaseUnreachableError } from '@headgate/relay';

/** How long a request waits for the database. */
const defaultTimeoutMs = 10_000;

/** Returns the result, or fails after a timeout, so that the client can retry instead of hanging. */
export async function withDatabaseTimeout<T>(answer: Promise<T>, ms = defaultTimeoutMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(databaseUnreachableError()), ms);
  });
  try {
    return await Promise.race([answer, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
