import { hostname } from 'node:os';
import { destination, type Logger, pino, symbols } from 'pino';

/** Fields of every line. */
const base = { pid: process.pid, hostname: hostname() };

let standardOutput: BufferedLines | undefined;

/** One per process; flushed when the process exits. */
function openStandardOutput(): BufferedLines {
  const lines = new BufferedLines(destination({ dest: 1, sync: true }));
  process.on('exit', () => lines.flushSync());
  return lines;
}

/** Structured logger on standard output. URLs are logged without their query, which may contain codes and tokens. */
export function createLogger(level: string): Logger {
  standardOutput ??= openStandardOutput();
  const options = {
    level,
    base,
    serializers: {
      req: (request: { method: string; url: string; ip?: string }) => ({
        method: request.method,
        path: request.url.split('?')[0],
        client: request.ip,
      }),
      res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
    },
    redact: {
      paths: ['password', 'key', 'token', 'secret', '*.password', '*.key', '*.token', '*.secret'],
      censor: '[hidden]',
    },
  };
  return pino(options, standardOutput);
}

/** A request handled before Fastify. Contains no client-supplied text. */
export interface ServedRequest {
  readonly reqId: string;
  readonly path: string;
  readonly statusCode: number;
  readonly ms: number;
}

/**
 * Writes the log line of such a request directly: Pino's redaction would take twenty times as long, and the line has
 * nothing to redact.
 */
export function createServedRequestLog(logger: Logger): (served: ServedRequest) => void {
  const source = JSON.stringify(base).slice(1, -1);
  return ({ reqId, path, statusCode, ms }) => {
    if (!logger.isLevelEnabled('info')) return;
    standardOutput?.gather(
      `{"level":30,"time":${Date.now()},${source},"reqId":"${reqId}","path":"${path}","statusCode":${statusCode},"ms":${ms},"msg":"request"}\n`,
    );
  };
}

/** Writes text synchronously. */
interface Writer {
  write(text: string): unknown;
}

/** A crash loses at most this many milliseconds of lines. */
const maxWaitMs = 50;
/** Buffer size; pipes and Docker accept this much in one write. */
const maxGathered = 16 * 1024;
/** Pino's level for errors; higher levels are worse. */
const errorLevel = 50;

/**
 * Buffers log lines and writes them together, because one write per line costs a tenth of a relayed request. Errors are
 * flushed immediately, along with earlier lines.
 */
export class BufferedLines {
  readonly #writer: Writer;
  #text = '';
  #timer: NodeJS.Timeout | undefined;
  /** Makes Pino set the level of each line before writing it. */
  readonly [symbols.needsMetadataGsym] = true;
  lastLevel = 0;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  write(line: string): void {
    this.gather(line);
    if (this.lastLevel >= errorLevel) this.flushSync();
  }

  /** Adds a line that can wait. */
  gather(line: string): void {
    this.#text += line;
    if (this.#text.length >= maxGathered) this.flushSync();
    else this.#timer ??= setTimeout(() => this.flushSync(), maxWaitMs).unref();
  }

  flushSync(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.#text;
    this.#text = '';
    if (text !== '') this.#writer.write(text);
  }

  /** Called by Pino. */
  flush(done?: () => void): void {
    this.flushSync();
    done?.();
  }
}
