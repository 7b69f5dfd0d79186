import type { Readable } from 'node:stream';
import type { Data, Endpoint, EndpointTable, EnvelopeFields, ExportFormat, Parsed } from '@headgate/contract';
import type { UserRow } from '../platform/db/rows.ts';
import type { Language } from '../platform/errors/api-error.ts';

/** A file that is generated while it is sent. */
export interface ExportFile {
  /** Without the file extension. */
  readonly name: string;
  readonly format: ExportFormat;
  /** Number of rows of the complete file. */
  readonly total: number;
  /**
   * Fails if the file is incomplete, so that it is not mistaken for a complete one. Destroy the stream if it is not
   * read.
   */
  readonly content: Readable;
}

/** Origin of a request, to the extent that it can be trusted. */
export interface Client {
  /** The socket's address, or the first untrusted hop when the peer is a trusted proxy. */
  readonly address: string;
  /** True only for a direct connection from this machine: a forwarded one may come from anywhere. */
  readonly isLoopback: boolean;
  readonly userAgent: string;
  readonly language: Language;
}

/** The browser session of a request; starting and ending it sets the cookie. */
export interface RequestSession {
  readonly id: string | undefined;
  /** True if the user signed in or proved their identity in this session recently. */
  isProved(user: UserRow): Promise<boolean>;
  /** Throws unless the identity was proved recently; for endpoints that require a proof only for some bodies. */
  requireProof(user: UserRow): Promise<void>;
  start(userId: number): Promise<void>;
  end(): Promise<void>;
  /** Device id, if the user was signed in on this device before. */
  knownDevice(userId: number): string | undefined;
  /**
   * Secret of this browser, signed in or not, that links the end of a sign-in flow to its start; undefined before the
   * first flow.
   */
  browser(): string | undefined;
  /** Returns the secret of this browser, created if necessary, and extends its lifetime. */
  rememberBrowser(): string;
}

/** Handler context: the parsed input declared by the endpoint, and the caller. */
type Context<E extends Endpoint> = Parsed<E> & {
  readonly caller: E['access'] extends 'visitor' ? UserRow | undefined : UserRow;
  readonly client: Client;
  readonly session: RequestSession;
};

export interface Page<Rows> {
  readonly rows: Rows;
  readonly total: number;
  /** True if there are more rows than `total`; the rest was not counted. */
  readonly isMore?: boolean;
}

/**
 * Result of a handler: a file; a page for a list; `data` and the top-level fields if the endpoint has any; otherwise
 * the data itself.
 */
type Result<E extends Endpoint> = E extends { readonly file: true }
  ? ExportFile
  : E extends { readonly list: true }
    ? Page<Data<E>>
    : E extends { readonly top: NonNullable<Endpoint['top']> }
      ? EnvelopeFields<E> & { readonly data?: Data<E> }
      : Data<E>;

type Handler<E extends Endpoint> = (context: Context<E>) => Result<E> | Promise<Result<E>>;

/** A handler for every endpoint of a table: missing and extra handlers do not compile. */
export type Handlers<T extends EndpointTable> = { readonly [K in keyof T]: Handler<T[K]> };
