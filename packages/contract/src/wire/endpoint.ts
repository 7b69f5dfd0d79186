import type * as z from 'zod/mini';

/** Who may call: everybody, any signed-in user, role ≥ 10, role ≥ 100. */
export type Access = 'visitor' | 'user' | 'admin' | 'root';

export const accessLevels = ['visitor', 'user', 'admin', 'root'] as const satisfies readonly Access[];

/**
 * One call of the console's API. The server's routes, the console's typed client, the access test and the OpenAPI
 * document are all derived from rows of this shape.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As the specification writes it; the server answers it with and without a trailing slash. */
  readonly path: `/api/${string}`;
  readonly access: Access;
  readonly params?: z.ZodMiniObject;
  readonly query?: z.ZodMiniObject;
  readonly body?: z.ZodMiniObject;
  /** What `data` holds on success; of a file, what one line of it says. */
  readonly reply: z.ZodMiniType;
  /** Fields that stand beside `data` at the top of the reply, such as the seconds a channel test took. */
  readonly top?: z.ZodMiniObject;
  /** `data` is one page of a list; the total travels in the header X-Total-Count. */
  readonly list?: true;
  /**
   * The answer is a file that is written while it is read, without an envelope; how many rows it has travels in the
   * header X-Total-Count. A refusal before its first byte is an envelope.
   */
  readonly file?: true;
  /** A GET that changes something: refused from other sites like every other change. */
  readonly changes?: true;
  /**
   * Changes the ways into the caller's own account, or shows what was said in confidence. `recent`: only soon after a login or another proof of who asks.
   * `session`: at any time, because the call itself takes a proof, or only takes a way in away. An access token does neither.
   */
  readonly proof?: 'recent' | 'session';
  /** A call worth guessing at or flooding: an address gets few of them. */
  readonly limit?: 'critical';
}

export type EndpointTable = Readonly<Record<string, Endpoint>>;

type Part<E, Name extends 'params' | 'query' | 'body', Side extends 'in' | 'out'> =
  E extends Readonly<Record<Name, infer S extends z.ZodMiniType>>
    ? { readonly [K in Name]: Side extends 'in' ? z.input<S> : z.output<S> }
    : unknown;

/** What a caller gives: only the parts the row declares. */
export type Input<E extends Endpoint> = Part<E, 'params', 'in'> & Part<E, 'query', 'in'> & Part<E, 'body', 'in'>;

/** The same after the server has parsed it. */
export type Parsed<E extends Endpoint> = Part<E, 'params', 'out'> & Part<E, 'query', 'out'> & Part<E, 'body', 'out'>;

export type Data<E extends Endpoint> = z.output<E['reply']>;

export type Top<E extends Endpoint> = E extends { readonly top: infer S extends z.ZodMiniType } ? z.output<S> : unknown;

/** The name of the header that carries the number of rows a list has in all. */
export const totalHeader = 'x-total-count';

/** The name of the header that says `true` when a list has more rows than were counted. */
export const moreHeader = 'x-total-more';

/** The name of the header that says, in a word that never changes, why a call was refused. */
export const refusalHeader = 'x-refusal';

/** The names of the headers that say which state of a thing was read, and on which a change depends. */
export const etagHeader = 'etag';
export const ifMatchHeader = 'if-match';

/** Writes path parameters into a row's path. */
export function fillPath(path: string, params: Readonly<Record<string, unknown>> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
}
