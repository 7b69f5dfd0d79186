import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { standInRoutes } from './stand-in-routes.ts';
import { type StandInTables, standInTables } from './stand-in-rows.ts';

/** A server of somebody else, which has the calls of the specification's section 7 and nothing more. */
export interface StandIn {
  readonly url: string;
  readonly tables: StandInTables;
  /** The calls that it does not have, as method and path. */
  readonly unknownCalls: ReadonlySet<string>;
  /** Forgets everybody who is signed in: all but the status and the login is answered 401 until somebody signs in. */
  endSessions(): void;
  stop(): Promise<void>;
}

const built = new URL('../../console/dist/', import.meta.url);
const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
  '.html': 'text/html',
};

/** The console's files, its first page for every other address. */
function sendFile(path: string, response: ServerResponse): void {
  const name = extname(path) === '' ? 'index.html' : path.slice(1);
  try {
    const file = readFileSync(fileURLToPath(new URL(name, built)));
    response.writeHead(200, { 'content-type': mediaTypes[extname(name)] ?? 'application/octet-stream' }).end(file);
  } catch {
    response.writeHead(404).end();
  }
}

async function readBody(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? { id: 0 } : JSON.parse(text);
}

const patternOf = (route: string): RegExp => new RegExp(`^${route.replaceAll('*', '([^/]+)')}$`);

/** How servers say that they do not have a call. */
const missing = {
  html: { 'content-type': 'text/html', body: '<h1>Not found</h1>' },
  json: { 'content-type': 'application/json', body: '{"error":{"message":"Invalid URL","type":"invalid_request"}}' },
} as const;

const openCalls = ['GET /api/status', 'POST /api/user/login'];

export async function startStandIn(missingAs: keyof typeof missing = 'html'): Promise<StandIn> {
  const tables = standInTables();
  let isSignedOut = false;
  // Those without a star come first: the path of one may look like the id of another.
  const routes = Object.entries(standInRoutes(tables))
    .map(([route, answer]) => ({ route, pattern: patternOf(route), answer }))
    .sort((one, other) => Number(one.route.includes('*')) - Number(other.route.includes('*')));
  const unknownCalls = new Set<string>();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (!pathname.startsWith('/api/')) return sendFile(pathname, response);
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
    const answer = found.answer({ ids, query: searchParams, body: await readBody(request) });
    const reply = typeof answer === 'string' ? { success: false, message: answer } : { message: '', ...answer };
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
