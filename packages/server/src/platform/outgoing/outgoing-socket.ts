import { connect, type Socket } from 'node:net';
import { guardedLookup, isForbiddenHost } from '@headgate/relay';

interface Place {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
}

export type SocketCallback = (error: Error | null, opened?: { readonly connection: Socket }) => void;

/** Opens a TCP connection to a configured host, but never to a metadata service. */
export function openSocket({ host, port, timeoutMs }: Place, done: SocketCallback): void {
  if (isForbiddenHost(host)) {
    done(new Error('the address is not allowed'));
    return;
  }
  const connection = connect({ host, port, lookup: guardedLookup, timeout: timeoutMs });
  const fail = (error: Error & { readonly code?: string }) => {
    connection.destroy();
    // A name with several addresses fails without a message.
    done(error.message === '' ? new Error(error.code) : error);
  };
  const beLate = () => fail(new Error('the connection took too long'));
  connection.once('error', fail);
  connection.once('timeout', beLate);
  connection.once('connect', () => {
    connection.off('error', fail);
    connection.off('timeout', beLate);
    connection.setTimeout(0);
    done(null, { connection });
  });
}
