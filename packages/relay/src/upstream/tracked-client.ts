import type { Socket } from 'node:net';
import type { buildConnector, Client as ClientOfUndici, Dispatcher } from 'undici';
import { Client } from './undici-pool.ts';

/** The connection that carries a request. */
export interface Connection {
  /** True where an earlier request was sent on the same socket. */
  readonly isReused: boolean;
  readonly socket: Pick<Socket, 'bytesRead'> | undefined;
}

/** A handler that learns which connection carries its request. */
export interface TrackedHandler extends Dispatcher.DispatchHandler {
  connectionOf: (() => Connection) | undefined;
}

type Options = ClientOfUndici.Options & { readonly connect: buildConnector.connector };

/** A client of undici that knows its socket and how many requests were sent on it. */
export class TrackedClient extends Client {
  #socket: Socket | undefined;
  #requests = 0;

  constructor(origin: string | URL, options: object) {
    const { connect, ...others } = options as Options;
    super(origin, {
      ...others,
      connect: (given, done) =>
        connect(given, (...result) => {
          this.#socket = result[1] ?? undefined;
          this.#requests = 0;
          done(...result);
        }),
    });
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: TrackedHandler): boolean {
    handler.connectionOf = () => this.#begin();
    return super.dispatch(options, handler);
  }

  #begin(): Connection {
    this.#requests += 1;
    return { isReused: this.#requests > 1, socket: this.#socket };
  }
}
