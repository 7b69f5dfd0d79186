import { randomBytes } from 'node:crypto';
import type { Endpoint } from '@headgate/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type IdentifiedUser, type RequestIdentity, requestClient } from '../../http/client.ts';
import type { RequestSession } from '../../http/handlers.ts';
import type { UserRow } from '../../platform/db/rows.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { type KnownDevices, knownDeviceSeconds } from '../sessions/known-devices.ts';
import { type SessionService, sessionLifetimeSeconds } from '../sessions/session-service.ts';
import type { AccessTokenService } from '../users/access-token-service.ts';

const cookieName = 'headgate_session';
const deviceCookieName = 'headgate_device';
const browserCookieName = 'headgate_browser';
/** Longer than any sign-in takes. */
const browserSeconds = 3600;

/** Identifies the user of a request by session cookie or access token, and writes the cookie to the response. */
export class SessionCookie implements RequestIdentity {
  readonly #sessions: SessionService;
  readonly #accessTokens: AccessTokenService;
  readonly #devices: KnownDevices;

  /** True if the user must set up a second factor before using anything beyond their own account. */
  readonly mustSetUpSecondFactor: (user: UserRow) => boolean;

  constructor(
    sessions: SessionService,
    accessTokens: AccessTokenService,
    devices: KnownDevices,
    mustSetUpSecondFactor: (user: UserRow) => boolean = () => false,
  ) {
    this.#sessions = sessions;
    this.#accessTokens = accessTokens;
    this.#devices = devices;
    this.mustSetUpSecondFactor = mustSetUpSecondFactor;
  }

  /** The signed-in user, read from the database. Extending a session extends its cookie too. */
  async identify(request: FastifyRequest, reply: FastifyReply): Promise<IdentifiedUser | undefined> {
    // An Authorization header takes precedence; the cookie is then ignored.
    const { authorization } = request.headers;
    if (authorization !== undefined) return this.#accessTokens.findByHeader(authorization);
    const id = request.cookies[cookieName];
    if (id === undefined) return undefined;
    const found = await this.#sessions.find(id);
    if (found?.prolonged) this.#write(request, reply, id);
    return found && { user: found.user, scope: 'all' };
  }

  /** Sign-in methods can be changed only in a browser session, never with an access token. */
  async requireProof(proof: NonNullable<Endpoint['proof']>, user: UserRow, request: FastifyRequest): Promise<void> {
    if (request.headers.authorization !== undefined) throw new ApiError('notByAccessToken');
    if (proof === 'recent' && !(await this.#isProved(user, request))) throw new ApiError('proofNeeded');
  }

  async #isProved(user: UserRow, { headers, cookies }: FastifyRequest): Promise<boolean> {
    return headers.authorization === undefined && this.#sessions.isProved(user.id, cookies[cookieName]);
  }

  open(request: FastifyRequest, reply: FastifyReply): RequestSession {
    const id = request.cookies[cookieName];
    return {
      id,
      isProved: (user) => this.#isProved(user, request),
      requireProof: (user) => this.requireProof('recent', user, request),
      start: async (userId) => {
        // The old session ends first, so that a session planted before login is never signed in.
        if (id !== undefined) await this.#sessions.end(id);
        this.#write(request, reply, await this.#sessions.start(userId, requestClient(request)));
        this.#markDevice(request, reply, userId);
      },
      end: async () => {
        if (id !== undefined) await this.#sessions.end(id);
        reply.clearCookie(cookieName, { path: '/' });
      },
      knownDevice: (userId) => this.#devices.find(request.cookies[deviceCookieName], userId),
      browser: () => request.cookies[browserCookieName],
      rememberBrowser: () => {
        const secret = request.cookies[browserCookieName] || randomBytes(32).toString('base64url');
        const cookie = { path: '/api', httpOnly: true, sameSite: 'lax', maxAge: browserSeconds } as const;
        reply.setCookie(browserCookieName, secret, { ...cookie, secure: request.protocol === 'https' });
        return secret;
      },
    };
  }

  /** Sent to the login endpoint only; no other endpoint needs it. */
  #markDevice(request: FastifyRequest, reply: FastifyReply, userId: number): void {
    reply.setCookie(deviceCookieName, this.#devices.remember(request.cookies[deviceCookieName], userId), {
      path: '/api/user/login',
      httpOnly: true,
      sameSite: 'strict',
      secure: request.protocol === 'https',
      maxAge: knownDeviceSeconds,
    });
  }

  #write(request: FastifyRequest, reply: FastifyReply, id: string): void {
    reply.setCookie(cookieName, id, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: request.protocol === 'https',
      maxAge: sessionLifetimeSeconds,
    });
  }
}
