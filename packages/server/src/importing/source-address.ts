import { StartFailure } from '../start-failure.ts';

/** Where a database server is, in words that anybody may read: neither user nor password. */
export function placeOf(address: string, server: string): string {
  const { hostname, port, pathname, username } = addressOf(address);
  // An unencoded # or / ends the host early: what then seems to be host and port is user and password.
  if (address.includes('@') && username === '') throw badAddress();
  return `${server} at ${hostname || 'this machine'}${port === '' ? '' : `:${port}`}${pathname}`;
}

function addressOf(address: string): URL {
  try {
    return new URL(address);
  } catch {
    throw badAddress();
  }
}

export const badAddress = () =>
  new StartFailure(
    '--from is no valid address: write special characters of user and password as %40 for @, %23 for #.',
  );

/** Why a source cannot be read, in one sentence. What a server says of a row may tell what is in it, and is left out. */
export function cannotBeRead(place: string, error: unknown): StartFailure {
  if (error instanceof StartFailure) return error;
  const { code, message } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
  return new StartFailure(`${place} cannot be read (${code ?? message}).`, { cause: error });
}
