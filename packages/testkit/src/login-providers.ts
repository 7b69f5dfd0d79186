import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { TokenSigner } from './token-signer.ts';

/** A user with an account at every provider. */
export interface ProviderUser {
  readonly id: number;
  readonly login: string;
  readonly name: string;
}

export interface ReceivedCall {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Grant {
  readonly person: ProviderUser;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly nonce: string;
}

/** OAuth client credentials with which the gateway is configured. */
export const providerClient = { id: 'client-of-gateway', secret: 'secret of the gateway' } as const;
export const wechatToken = 'token-of-gateway';

type Handler = (call: ReceivedCall, response: ServerResponse) => void;

const send = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** Fake GitHub, Lark, OpenID provider, WeChat server, Turnstile and message pusher. */
export class LoginProviders {
  readonly url: string;
  readonly calls: ReceivedCall[] = [];
  /** Overrides the handler of a path, to simulate failures and timeouts. */
  readonly faults = new Map<string, Handler>();
  /** User who grants access on the providers' pages. */
  person: ProviderUser = { id: 1, login: 'somebody', name: 'Some Body' };
  /** Redirect target of GitHub, which is fixed in the settings of its app. */
  redirectBase = '';
  /** WeChat ids by login code. */
  readonly wechatCodes = new Map<string, string>();
  /** Signing key of the OpenID provider. Replace it to simulate a key rotation. */
  signer = new TokenSigner();
  readonly #server: Server;
  readonly #grants = new Map<string, Grant>();
  readonly #tokens = new Map<string, ProviderUser>();
  readonly #handlers: Readonly<Record<string, Handler>>;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.#handlers = {
      '/login/oauth/authorize': (call, response) => this.#page(call, response, `${this.redirectBase}/oauth/github`),
      '/login/oauth/access_token': (call, response) => this.#githubToken(call, response),
      '/user': (call, response) => this.#user(call, response, ({ id, login, name }) => ({ id, login, name })),
      '/open-apis/authen/v1/authorize': (call, response) => this.#page(call, response),
      '/open-apis/authen/v2/oauth/token': (call, response) => this.#larkToken(call, response),
      '/suite/passport/oauth/userinfo': (call, response) =>
        this.#user(call, response, ({ id, login, name }) => ({ open_id: `ou_${id}`, en_name: login, name })),
      '/oidc/.well-known/openid-configuration': (_, response) => send(response, this.#discovery()),
      '/oidc/jwks': (_, response) => send(response, { keys: [this.signer.jwk] }),
      '/oidc/authorize': (call, response) => this.#page(call, response),
      '/oidc/token': (call, response) => this.#oidcToken(call, response),
      '/oidc/userinfo': (call, response) =>
        this.#user(call, response, ({ id, login, name }) => ({ sub: `sub-${id}`, preferred_username: login, name })),
      '/api/wechat/user': (call, response) => this.#wechat(call, response),
      '/turnstile/v0/siteverify': ({ body }, response) =>
        send(response, { success: String(body['response']).startsWith('good') }),
      '/push': (_, response) => send(response, { success: true, message: '' }),
    };
    server.on('request', (request, response) => {
      const url = new URL(request.url ?? '/', this.url);
      void text(request).then((body) => {
        const call: ReceivedCall = {
          method: request.method ?? '',
          path: url.pathname,
          headers: request.headers,
          query: Object.fromEntries(url.searchParams),
          body: fieldsOf(body, request.headers['content-type'] ?? ''),
        };
        this.calls.push(call);
        const handler = this.faults.get(url.pathname) ?? this.#handlers[url.pathname];
        if (handler) handler(call, response);
        else send(response, { message: 'Not Found' }, 404);
      });
    });
  }

  static async start(): Promise<LoginProviders> {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return new LoginProviders(server);
  }

  /** Issues a single-use authorization code. `page` is the authorization URL that the user was redirected to. */
  grant(person: ProviderUser, page = ''): string {
    const query = page === '' ? new URLSearchParams() : new URL(page).searchParams;
    const code = `code-${randomUUID()}`;
    this.#grants.set(code, {
      person,
      redirectUri: query.get('redirect_uri') ?? '',
      challenge: query.get('code_challenge') ?? '',
      nonce: query.get('nonce') ?? '',
    });
    return code;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #page({ query }: ReceivedCall, response: ServerResponse, home = query['redirect_uri'] ?? ''): void {
    const page = `${this.url}/?${new URLSearchParams(query)}`;
    const back = `${home}?${new URLSearchParams({ code: this.grant(this.person, page), state: query['state'] ?? '' })}`;
    const no = `${home}?${new URLSearchParams({ error: 'access_denied', state: query['state'] ?? '' })}`;
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>Authorize</title><p>${this.person.login}</p>
      <a href="${back.replaceAll('&', '&amp;')}">Authorize</a> <a href="${no.replaceAll('&', '&amp;')}">Cancel</a>`);
  }

  #spend(code: unknown): Grant | undefined {
    const grant = this.#grants.get(String(code));
    this.#grants.delete(String(code));
    return grant;
  }

  #tokenFor({ person }: Grant): string {
    const token = `token-${randomUUID()}`;
    this.#tokens.set(token, person);
    return token;
  }

  #githubToken({ body }: ReceivedCall, response: ServerResponse): void {
    const isClient = body['client_id'] === providerClient.id && body['client_secret'] === providerClient.secret;
    const grant = this.#spend(body['code']);
    // GitHub returns OAuth errors with status 200.
    if (!isClient) send(response, { error: 'incorrect_client_credentials' });
    else if (!grant) send(response, { error: 'bad_verification_code', error_description: 'incorrect or expired' });
    else send(response, { access_token: this.#tokenFor(grant), scope: 'read:user', token_type: 'bearer' });
  }

  #larkToken({ body }: ReceivedCall, response: ServerResponse): void {
    const grant = this.#spend(body['code']);
    const isRight =
      body['client_id'] === providerClient.id &&
      body['client_secret'] === providerClient.secret &&
      body['grant_type'] === 'authorization_code' &&
      body['redirect_uri'] === grant?.redirectUri;
    if (!grant || !isRight) send(response, { code: 20_003, error: 'invalid_grant' }, 400);
    else send(response, { code: 0, access_token: this.#tokenFor(grant), expires_in: 7200, token_type: 'Bearer' });
  }

  #oidcToken({ body, headers }: ReceivedCall, response: ServerResponse): void {
    const pair = `${encodeURIComponent(providerClient.id)}:${encodeURIComponent(providerClient.secret)}`;
    const grant = this.#spend(body['code']);
    const challenge = createHash('sha256').update(String(body['code_verifier'])).digest('base64url');
    const isRight =
      headers.authorization === `Basic ${Buffer.from(pair).toString('base64')}` &&
      headers['content-type'] === 'application/x-www-form-urlencoded' &&
      body['grant_type'] === 'authorization_code' &&
      body['redirect_uri'] === grant?.redirectUri &&
      challenge === grant?.challenge;
    if (!grant || !isRight) send(response, { error: 'invalid_grant' }, 400);
    else send(response, { access_token: this.#tokenFor(grant), token_type: 'Bearer', id_token: this.idToken(grant) });
  }

  idToken(grant: Pick<Grant, 'person' | 'nonce'>): string {
    return this.signer.sign(this.claimsFor(grant));
  }

  /** Claims of the ID token. */
  claimsFor({ person, nonce }: Pick<Grant, 'person' | 'nonce'>): object {
    const now = Math.floor(Date.now() / 1000);
    const times = { exp: now + 300, iat: now };
    return { iss: `${this.url}/oidc`, aud: providerClient.id, ...times, nonce, sub: `sub-${person.id}` };
  }

  #discovery(): object {
    const base = `${this.url}/oidc`;
    return {
      issuer: base,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      userinfo_endpoint: `${base}/userinfo`,
      jwks_uri: `${base}/jwks`,
      code_challenge_methods_supported: ['S256'],
    };
  }

  #user({ headers }: ReceivedCall, response: ServerResponse, show: (person: ProviderUser) => object): void {
    const person = this.#tokens.get((headers.authorization ?? '').replace(/^Bearer /, ''));
    if (person) send(response, show(person));
    else send(response, { message: 'Bad credentials' }, 401);
  }

  #wechat({ query, headers }: ReceivedCall, response: ServerResponse): void {
    const id = this.wechatCodes.get(query['code'] ?? '');
    // The real server accepts a code for three minutes, even after it was used.
    if (headers.authorization !== wechatToken) send(response, { success: false, message: '无权' }, 401);
    else if (id === undefined) send(response, { success: false, message: '验证码错误或已过期', data: '' });
    else send(response, { success: true, message: '', data: id });
  }
}

function fieldsOf(body: string, type: string): Readonly<Record<string, unknown>> {
  if (body === '') return {};
  if (type.startsWith('application/json')) return JSON.parse(body) as Record<string, unknown>;
  return Object.fromEntries(new URLSearchParams(body));
}
