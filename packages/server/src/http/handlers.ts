import type { Data, Endpoint, EndpointTable, Parsed, Top } from '@headgate/contract';
import type { UserRow } from '../platform/db/rows.ts';
import type { Language } from '../platform/errors/refusal.ts';
import type { ExportFile } from './export-file.ts';

/** Where a request comes from, as far as it can be believed. */
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
  /** Whether the user signed in here, or proved to be there, not long ago. */
  isProved(user: UserRow): Promise<boolean>;
  /** Refuses when not: for rows that need it only of some bodies. */
  requireProof(user: UserRow): Promise<void>;
  start(userId: number): Promise<void>;
  end(): Promise<void>;
  /** Names this device, when the user was signed in here before. */
  knownDevice(userId: number): string | undefined;
  /**
   * A secret of this browser, signed in or not, that ties what it begins to what it ends; undefined before the first.
   */
  browser(): string | undefined;
  /** The secret of this browser, made when there is none, and kept for another while. */
  rememberBrowser(): string;
}

/** What a handler is given: the parsed parts its row declares, and who asks. */
type Context<E extends Endpoint> = Parsed<E> & {
  readonly caller: E['access'] extends 'visitor' ? UserRow | undefined : UserRow;
  readonly client: Client;
  readonly session: RequestSession;
};

export interface Page<Rows> {
  readonly rows: Rows;
  readonly total: number;
  /** There are more rows than `total`, which were not counted. */
  readonly isMore?: boolean;
}

/** A file, one page for a list, `data` beside the top fields where the row has some, else the data itself. */
type Result<E extends Endpoint> = E extends { readonly file: true }
  ? ExportFile
  : E extends { readonly list: true }
    ? Page<Data<E>>
    : E extends { readonly top: NonNullable<Endpoint['top']> }
      ? Top<E> & { readonly data?: Data<E> }
      : Data<E>;

type Handler<E extends Endpoint> = (context: Context<E>) => Result<E> | Promise<Result<E>>;

/** A handler for every row of a table: a missing or an extra one does not compile. */
export type Handlers<T extends EndpointTable> = { readonly [K in keyof T]: Handler<T[K]> };
