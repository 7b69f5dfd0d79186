import { type Logger, pino } from 'pino';

/** Structured lines on standard output. Addresses are logged without their query: it may hold codes and tokens. */
export function createLogger(level: string): Logger {
  return pino({
    level,
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
  });
}
