import { StartFailure } from '../start-failure.ts';
import { printable } from './printable.ts';

/** Where a database server is, in words that anybody may read: neither user nor password. */
export function placeOf(address: string, server: string): string {
  const url = addressOf(address);
  const { hostname, port, pathname, search, hash, username, password } = url;
  // An unencoded #, ? or / ends the host early: what then seems to be host and port is user and password.
  if (address.includes('@') && (username === '' || /@/.test(pathname + search + hash))) throw badAddress();
  for (const part of [username, password, pathname]) decoded(part);
  return `${server} at ${hostname || 'this machine'}${port === '' ? '' : `:${port}`}${pathname}`;
}

export function addressOf(address: string): URL {
  try {
    return new URL(address);
  } catch {
    throw badAddress();
  }
}

export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw badAddress();
  }
}

export const badAddress = () =>
  new StartFailure(
    'This is no valid address of a database: write special characters of user and password as %40 for @, %23 for #, %25 for %.',
  );

/** Why a source cannot be read, in one sentence. What a server says of a row may tell what is in it, and is left out. */
export function cannotBeRead(place: string, error: unknown): StartFailure {
  if (error instanceof StartFailure) return error;
  const { code, message } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
  return new StartFailure(`${place} cannot be read (${printable(String(code ?? message)).slice(0, 200)}).`, {
    cause: error,
  });
}

export const ofNeither = (place: string): StartFailure =>
  new StartFailure(`${place} is a database of neither One API nor new-api, or its tables may not be read.`);
