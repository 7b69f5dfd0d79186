import { BlockList } from 'node:net';
import type { AccessScope, Endpoint } from '@headgate/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { UserRow } from '../platform/db/rows.ts';
import type { Language } from '../platform/errors/api-error.ts';
import type { Client, RequestSession } from './handlers.ts';

/** The signed-in user and the scope of the request. */
export interface IdentifiedUser {
  readonly user: UserRow;
  readonly scope: AccessScope;
}

/** Identifies the user of a request by cookie or access token, with its browser session. */
export interface RequestIdentity {
  /** True if the user must set up a second factor before accessing anything except their own account. */
  readonly mustSetUpSecondFactor: (user: UserRow) => boolean;
  /** The signed-in user, read from the database; undefined for a visitor. */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<IdentifiedUser | undefined>;
  /** Throws unless the user has recently proved their identity; for changes to sign-in methods. */
  requireProof(proof: NonNullable<Endpoint['proof']>, user: UserRow, request: FastifyRequest): Promise<void>;
  open(request: FastifyRequest, reply: FastifyReply): RequestSession;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const;

const isLoopbackAddress = (address: string) => loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4');

export function requestClient(request: FastifyRequest): Client {
  // An undeclared proxy on this machine also connects from loopback, but its headers reveal it.
  const isForwarded = forwardingHeaders.some((name) => request.headers[name] !== undefined);
  return {
    address: request.ip,
    isLoopback: isLoopbackAddress(request.ip) && !isForwarded,
    userAgent: request.headers['user-agent'] ?? '',
    language: requestLanguage(request),
  };
}

export const requestLanguage = (request: FastifyRequest): Language =>
  /^\s*zh\b/i.test(request.headers['accept-language'] ?? '') ? 'zh' : 'en';
