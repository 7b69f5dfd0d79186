import type * as z from 'zod/mini';

/** Required role: none, any signed-in user, role ≥ 10, role ≥ 100. */
export type Access = 'visitor' | 'user' | 'admin' | 'root';

export const accessLevels = ['visitor', 'user', 'admin', 'root'] as const satisfies readonly Access[];

/**
 * One endpoint of the management API. Server routes, the typed client, the access test and the OpenAPI document are
 * derived from these rows.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path in the specification; the server accepts it with and without a trailing slash. */
  readonly path: `/api/${string}`;
  readonly access: Access;
  readonly params?: z.ZodMiniObject;
  readonly query?: z.ZodMiniObject;
  readonly body?: z.ZodMiniObject;
  /** `data` of a successful response; for a file, one line. */
  readonly reply: z.ZodMiniType;
  /** Fields next to `data`, such as the duration of a channel test. */
  readonly top?: z.ZodMiniObject;
  /** True if `data` is one page of a list; X-Total-Count contains the total. */
  readonly list?: true;
  /**
   * True if the response is a streamed file without an envelope; X-Total-Count contains the number of rows. Errors
   * before the first byte use the envelope.
   */
  readonly file?: true;
  /** True for a GET with side effects: cross-site requests are rejected like other cross-site changes. */
  readonly changes?: true;
  /**
   * For endpoints that change how the caller signs in, or return payloads. `recent`: requires a recent login or
   * confirmation. `session`: requires a session, because the call itself contains a proof or only removes a sign-in
   * method. Access tokens are rejected for both.
   */
  readonly proof?: 'recent' | 'session';
  /** Set for endpoints that are prone to guessing or flooding; strictly rate limited by IP address. */
  readonly limit?: 'critical';
}

export type EndpointTable = Readonly<Record<string, Endpoint>>;

type Part<E, Name extends 'params' | 'query' | 'body', Side extends 'in' | 'out'> =
  E extends Readonly<Record<Name, infer S extends z.ZodMiniType>>
    ? { readonly [K in Name]: Side extends 'in' ? z.input<S> : z.output<S> }
    : unknown;

/** Input from a caller: only the parts that the endpoint declares. */
export type Input<E extends Endpoint> = Part<E, 'params', 'in'> & Part<E, 'query', 'in'> & Part<E, 'body', 'in'>;

/** Input after parsing by the server. */
export type Parsed<E extends Endpoint> = Part<E, 'params', 'out'> & Part<E, 'query', 'out'> & Part<E, 'body', 'out'>;

export type Data<E extends Endpoint> = z.output<E['reply']>;

export type EnvelopeFields<E extends Endpoint> = E extends { readonly top: infer S extends z.ZodMiniType }
  ? z.output<S>
  : unknown;

/** Header with the total number of rows of a list. */
export const totalHeader = 'x-total-count';

/** Header that is `true` if a list has more rows than were counted. */
export const totalTruncatedHeader = 'x-total-more';

/** Header with the stable error code. */
export const errorCodeHeader = 'x-error-code';

/** Headers for conditional changes. */
export const etagHeader = 'etag';
export const ifMatchHeader = 'if-match';

/** Fills path parameters into a path. */
export function fillPath(path: string, params: Readonly<Record<string, unknown>> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
}
