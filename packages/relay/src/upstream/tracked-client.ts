import type { Socket } from 'node:net';
import type { buildConnector, Client as ClientOfUndici, Dispatcher } from 'undici';
import { Client } from './undici-pool.ts';

export interface Connection {
  /** True if an earlier request was sent on the same socket. */
  readonly isReused: boolean;
  readonly socket: Pick<Socket, 'bytesRead'> | undefined;
}

/** A handler that receives the connection of its request. */
export interface TrackedHandler extends Dispatcher.DispatchHandler {
  connectionOf: (() => Connection) | undefined;
}

type Options = ClientOfUndici.Options & { readonly connect: buildConnector.connector };

/** An undici client that exposes its socket and the number of requests sent on it. */
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
