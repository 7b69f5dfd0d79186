import type { AccessScope, Endpoint } from '@headgate/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { UserRow } from '../platform/db/rows.ts';
import type { RequestSession } from './handlers.ts';

/** The signed-in user and the scope of the request. */
export interface IdentifiedUser {
  readonly user: UserRow;
  readonly scope: AccessScope;
}

/** Identifies the user of a request by cookie or access token, with its browser session. */
export interface RequestIdentity {
  /** True if the user must set up a second factor before accessing anything except their own account. */
  readonly lacksSecondFactor: (user: UserRow) => boolean;
  /** The signed-in user, read from the database; undefined for a visitor. */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<IdentifiedUser | undefined>;
  /** Throws unless the user has proved their identity; for changes to sign-in methods. */
  requireProof(proof: NonNullable<Endpoint['proof']>, user: UserRow, request: FastifyRequest): Promise<void>;
  open(request: FastifyRequest, reply: FastifyReply): RequestSession;
}
