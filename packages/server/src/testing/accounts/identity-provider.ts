import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type ClientMetadata } from 'oidc-provider';

export interface ProviderClaims {
  readonly preferred_username?: string;
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly oid?: string;
  readonly groups?: readonly string[];
  readonly realm_access?: { readonly roles: readonly string[] };
}

const scopes = ['openid', 'profile', 'email'];
const maxSteps = 10;

/** A real OpenID Connect provider, whose users sign in without a page. */
export class IdentityProvider {
  readonly issuer: string;
  /** Claims of each user by subject. */
  readonly claims = new Map<string, ProviderClaims>();
  /** Subject that signs in next. */
  subject = '';
  /** Called before the provider sends the claims of a user. */
  beforeClaims = async (): Promise<void> => undefined;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<IdentityProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new IdentityProvider(server);
  }

  /** Serves these clients; called once their redirect URIs are known. */
  serve(clients: readonly ClientMetadata[]): void {
    const provider = new Provider(this.issuer, {
      clients: [...clients],
      cookies: { keys: ['key of the test'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['name', 'preferred_username', 'groups', 'realm_access', 'oid'],
      },
      findAccount: (_, sub) => ({ accountId: sub, claims: async () => this.#claimsOf(sub) }),
      loadExistingGrant: async ({ oidc }) => {
        const { client, session } = oidc;
        const grant = new provider.Grant({
          clientId: client?.clientId ?? '',
          ...(session?.accountId !== undefined && { accountId: session.accountId }),
        });
        grant.addOIDCScope(scopes.join(' '));
        await grant.save();
        return grant;
      },
    });
    const handle = provider.callback();
    this.#server.removeAllListeners('request');
    this.#server.on('request', (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return handle(request, response);
      return provider.interactionFinished(request, response, { login: { accountId: this.subject } });
    });
  }

  /** Opens an authorization URL as a user of this provider. Returns the query of the redirect back. */
  async signIn(url: string, subject: string, claims: ProviderClaims = {}): Promise<Record<string, string>> {
    this.subject = subject;
    this.claims.set(subject, claims);
    const cookies = new Map<string, string>();
    let next = url;
    for (let step = 0; step < maxSteps; step += 1) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`The provider responded with status ${response.status}.`);
      const target = new URL(location, next);
      if (target.origin !== this.issuer) return Object.fromEntries(target.searchParams);
      next = target.href;
    }
    throw new Error('The provider redirects without end.');
  }

  async #claimsOf(sub: string) {
    await this.beforeClaims();
    return { ...this.claims.get(sub), sub };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
