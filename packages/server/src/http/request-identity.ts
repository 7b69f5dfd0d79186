import type { AccessScope, Endpoint } from '@headgate/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { UserRow } from '../platform/db/rows.ts';
import type { RequestSession } from './handlers.ts';

/** The signed-in user, and how much of what that user may do the request may. */
export interface Identified {
  readonly user: UserRow;
  readonly scope: AccessScope;
}

/** Who sends a request, by its cookie or its access token, and the browser session it belongs to. */
export interface RequestIdentity {
  /** Whether somebody must set up a second factor before anything beyond the own account. */
  readonly lacksSecondFactor: (user: UserRow) => boolean;
  /** The signed-in user, read fresh; undefined for a visitor. */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<Identified | undefined>;
  /** Refuses what changes the ways into an account, unless its owner has proved to be there. */
  requireProof(proof: NonNullable<Endpoint['proof']>, user: UserRow, request: FastifyRequest): Promise<void>;
  open(request: FastifyRequest, reply: FastifyReply): RequestSession;
}
