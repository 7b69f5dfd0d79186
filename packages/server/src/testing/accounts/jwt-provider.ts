import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose';
import Provider from 'oidc-provider';

const algorithm = 'RS256';

/** A real OpenID Connect provider that issues JWT access tokens to programs (client credentials). */
export class JwtProvider {
  readonly issuer: string;
  /** Number of times the keys were read. */
  keyReads = 0;
  /** Claims added to each JWT. */
  claims: Record<string, unknown> = {};
  readonly #server: Server;
  #key: JWK = {};

  private constructor(server: Server) {
    this.#server = server;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<JwtProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const provider = new JwtProvider(server);
    await provider.rotateKeys('first');
    return provider;
  }

  /** Replaces the signing key. */
  async rotateKeys(kid: string): Promise<void> {
    const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
    this.#key = { ...(await exportJWK(privateKey)), kid, alg: algorithm, use: 'sig' };
    const provider = new Provider(this.issuer, {
      jwks: { keys: [this.#key as never] },
      clients: [
        {
          client_id: 'robot',
          client_secret: 'secret of the robot',
          grant_types: ['client_credentials'],
          redirect_uris: [],
          response_types: [],
        },
      ],
      extraTokenClaims: async () => this.claims,
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_, audience) => ({ scope: 'api', audience, accessTokenFormat: 'jwt' }),
        },
      },
    });
    const handle = provider.callback();
    this.#server.removeAllListeners('request');
    this.#server.on('request', (request, response) => {
      if (request.url?.startsWith('/jwks')) this.keyReads += 1;
      return handle(request, response);
    });
  }

  /** A JWT that the provider issues for an audience; its subject is `robot`. */
  async jwt(audience: string, claims: Record<string, unknown> = {}): Promise<string> {
    this.claims = claims;
    const authorization = `Basic ${Buffer.from('robot:secret+of+the+robot').toString('base64')}`;
    const body = new URLSearchParams({ grant_type: 'client_credentials', resource: audience, scope: 'api' });
    const response = await fetch(`${this.issuer}/token`, { method: 'POST', headers: { authorization }, body });
    return ((await response.json()) as { access_token: string }).access_token;
  }

  /** A JWT with any content, signed with the key of the provider. */
  async sign(claims: JWTPayload, header: Partial<JWTHeaderParameters> = {}): Promise<string> {
    const key = await importJWK(this.#key, algorithm);
    return new SignJWT({ iss: this.issuer, sub: 'robot', ...claims })
      .setProtectedHeader({ alg: algorithm, kid: String(this.#key.kid), ...header })
      .sign(key, { crit: { x: true } });
  }

  /** The public key as published. */
  get publicKey(): JWK {
    const { kty, n, e, kid, alg, use } = this.#key;
    return { kty, n, e, kid, alg, use } as JWK;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
