import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { minimalRoutes } from './routes.ts';
import { type MinimalTables, minimalTables } from './rows.ts';

/** A server with only the calls of section 7 of the specification, as other products have. */
export interface MinimalServer {
  readonly url: string;
  readonly tables: MinimalTables;
  /** Calls that the server does not support, as method and path. */
  readonly unknownCalls: ReadonlySet<string>;
  /** Ends all sessions: every call except status and login returns 401 until the next login. */
  endSessions(): void;
  stop(): Promise<void>;
}

async function readBody(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? { id: 0 } : JSON.parse(text);
}

const patternOf = (route: string): RegExp => new RegExp(`^${route.replaceAll('*', '([^/]+)')}$`);

/** How different servers respond to unknown calls. */
const missing = {
  html: { 'content-type': 'text/html', body: '<h1>Not found</h1>' },
  json: { 'content-type': 'application/json', body: '{"error":{"message":"Invalid URL","type":"invalid_request"}}' },
} as const;

const openCalls = ['GET /api/status', 'POST /api/user/login'];

export async function startMinimalServer(missingAs: keyof typeof missing = 'html'): Promise<MinimalServer> {
  const tables = minimalTables();
  let isSignedOut = false;
  // Routes without a wildcard come first, because a wildcard would match their paths as well.
  const routes = Object.entries(minimalRoutes(tables))
    .map(([route, answer]) => ({ route, pattern: patternOf(route), answer }))
    .sort((one, other) => Number(one.route.includes('*')) - Number(other.route.includes('*')));
  const unknownCalls = new Set<string>();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const call = `${request.method} ${pathname}`;
    const found = routes.find(({ pattern }) => pattern.test(call));
    if (!found) {
      unknownCalls.add(call);
      const { body, ...headers } = missing[missingAs];
      response.writeHead(404, headers).end(body);
      return;
    }
    if (isSignedOut && !openCalls.includes(call)) {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"success":false,"message":"who?"}');
      return;
    }
    isSignedOut &&= call !== 'POST /api/user/login';
    const ids = found.pattern.exec(call)?.slice(1) ?? [];
    const result = found.answer({ ids, query: searchParams, body: await readBody(request) });
    const reply = typeof result === 'string' ? { success: false, message: result } : { message: '', ...result };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ success: true, ...reply }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tables,
    unknownCalls,
    endSessions: () => {
      isSignedOut = true;
    },
    stop,
  };
}
