import { outOfTouch } from '@headgate/relay';

/** How long a request waits for what only the database can tell. */
const patienceMs = 10_000;

/** The answer, or a failure when it takes too long: a caller is told to come again rather than kept for ever. */
export async function withDatabaseTimeout<T>(answer: Promise<T>, ms = patienceMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(outOfTouch()), ms);
  });
  try {
    return await Promise.race([answer, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
