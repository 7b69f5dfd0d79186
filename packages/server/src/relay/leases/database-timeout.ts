import { databaseUnreachable } from '@headgate/relay';

/** How long a request waits for the database. */
const patienceMs = 10_000;

/** Returns the result, or fails after a timeout, so that the client can retry instead of hanging. */
export async function withDatabaseTimeout<T>(answer: Promise<T>, ms = patienceMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(databaseUnreachable()), ms);
  });
  try {
    return await Promise.race([answer, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
