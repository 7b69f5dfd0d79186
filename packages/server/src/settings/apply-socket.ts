import { lstatSync, rmSync, statSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from '../platform/create-platform.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import { StartFailure } from '../platform/errors/start-failure.ts';
import { createServer, request } from '../platform/outgoing/node-http.ts';
import { databaseFile } from '../platform/storage/database-file.ts';
import { ConfigFile, type SentFile } from './config-file/config-file.ts';
import { planLines } from './config-file/plan-lines.ts';
import { applyConfigFile } from './create-file-services.ts';

/**
 * Socket on which a server that uses a SQLite file accepts configuration files. Only the owner of DATA_DIR can open
 * it, who could also change the database.
 */
const socketOf = (dataDir: string): string => join(dataDir, 'apply.sock');

/** Larger than the maximum total size of the main file, its includes and secrets. */
const maxBytes = 128 * 1024 * 1024;

/** The file as read by the command, so that the server needs neither its environment nor its folder. */
interface ApplyRequest {
  readonly version: string;
  readonly file: SentFile;
  readonly isPruning: boolean;
}

/** Lines for the user, or a one-sentence error. */
type ApplyReply = { readonly lines: readonly string[] } | { readonly error: string };

interface ApplyServer {
  readonly platform: Pick<Platform, 'dataDir' | 'databaseUrl' | 'database' | 'feed' | 'box' | 'logger' | 'lifecycle'>;
  readonly version: string;
  /** Rejected in files. */
  readonly ownSecrets: readonly string[];
}

/** Serves `headgate apply` on the same host. On PostgreSQL the command writes to the database itself. */
export function serveApplies({ platform, version, ownSecrets }: ApplyServer): void {
  const { dataDir, databaseUrl, database, feed, box, logger, lifecycle } = platform;
  if (databaseUrl !== undefined || process.platform === 'win32') return;
  const apply = async (body: string): Promise<ApplyReply> => {
    // trusted JSON: written by this program; only the owner of DATA_DIR can open the socket.
    const { version: given, file: sent, isPruning } = JSON.parse(body) as ApplyRequest;
    if (given !== version)
      return { error: `The running server has version ${version}; apply with that version, not with ${given}.` };
    try {
      const file = ConfigFile.received(sent, ownSecrets);
      const { changes } = await applyConfigFile(file, { database, feed, box, isPruning });
      return { lines: [...planLines(changes), ...(changes.length > 0 ? ['Changes applied.'] : [])] };
    } catch (error) {
      if (error instanceof StartFailure) return { error: error.message };
      if (error instanceof ApiError) return { error: error.messageIn('en') };
      throw error;
    }
  };
  const applies = new InFlight();
  const server = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    const end = (status: number, reply: ApplyReply) => response.writeHead(status).end(JSON.stringify(reply));
    bodyOf(incoming)
      .then((body) => applies.track(apply(body)))
      .then((reply) => end(200, reply))
      .catch((error: unknown) => {
        logger.error({ err: error }, 'a configuration file could not be applied');
        end(500, { error: 'The running server could not apply the file; see its log.' });
      });
  });
  lifecycle.add({
    name: 'apply socket',
    start: () =>
      listenPrivately(server, socketOf(dataDir)).catch((error: unknown) => {
        logger.warn({ err: error }, 'headgate apply needs a stopped server: its socket in DATA_DIR cannot be opened');
      }),
    // Files that are still being received are not waited for: their command may be suspended.
    drain: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      await applies.settled();
      await Promise.race([closed, sleep(replyMs)]);
      server.closeAllConnections();
    },
  });
}

/** Time to send a reply during a shutdown. */
const replyMs = 500;

class InFlight {
  readonly #promises = new Set<Promise<unknown>>();

  track<T>(promise: Promise<T>): Promise<T> {
    this.#promises.add(promise);
    return promise.finally(() => this.#promises.delete(promise));
  }

  settled(): Promise<unknown> {
    return Promise.allSettled(this.#promises);
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  if (Number(incoming.headers['content-length'] ?? Number.NaN) <= maxBytes) return text(incoming);
  throw new Error('the body is too large or its length is missing');
}

/** A file left by a killed server is replaced; this process holds the lock of the database. */
async function listenPrivately(server: Server, path: string): Promise<void> {
  rmSync(path, { force: true });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).once('listening', resolve);
  const mask = process.umask(0o177);
  try {
    // The socket is created before this returns.
    server.listen(path);
  } finally {
    process.umask(mask);
  }
  await promise;
}

/** Applies the file through the running server. Undefined if no server listens; then the database may be opened. */
export async function applyThroughServer(dataDir: string, order: ApplyRequest): Promise<readonly string[] | undefined> {
  const path = socketOf(dataDir);
  const body = JSON.stringify(order);
  let reply: ApplyReply | undefined;
  try {
    if (!isServersSocket(dataDir)) return undefined;
    reply = await send(path, body);
  } catch (error) {
    if (error instanceof StartFailure) throw error;
    const { code = 'no reply' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
    throw new StartFailure(
      `The running server cannot be reached through ${path} (${code}); run apply as the user of the server, or stop it first.`,
    );
  }
  if ('error' in reply) throw new StartFailure(reply.error);
  return reply.lines;
}

/**
 * False if no server can listen. The request contains secrets, and in a folder that others can write to, the socket
 * could be another user's: it must belong to the owner of the database file.
 */
function isServersSocket(dataDir: string): boolean {
  const path = socketOf(dataDir);
  const socket = lstatSync(path, { throwIfNoEntry: false });
  const database = statSync(databaseFile(dataDir), { throwIfNoEntry: false });
  if (!socket?.isSocket() || !database) return false;
  if (socket.uid === database.uid) return true;
  throw new StartFailure(`${path} does not belong to the user of headgate.db; delete it.`);
}

/** Error for a database file that is used by another process without an apply socket. */
export const notListeningError = (databaseFile: string, dataDir: string): StartFailure =>
  new StartFailure(
    `Another process uses ${databaseFile} and does not listen on ${socketOf(dataDir)}. If it is starting, try again; otherwise stop it first, or restart it with CONFIG_FILE.`,
  );

async function send(socketPath: string, body: string): Promise<ApplyReply> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { 'content-length': Buffer.byteLength(body) };
  request({ socketPath, method: 'POST', path: '/', headers, agent: false }, resolve).on('error', reject).end(body);
  // trusted JSON: written by this program.
  return JSON.parse(await text(await promise)) as ApplyReply;
}
