import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Program } from '../../testing/process/program.ts';
import { BufferedLines } from './log-lines.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function linesTo(writes: string[]) {
  const lines = new BufferedLines({ write: (text) => writes.push(text) });
  return { lines, logger: pino({}, lines) };
}

test('log lines are written together, fifty milliseconds after the first or when there are many', () => {
  const writes: string[] = [];
  const { lines, logger } = linesTo(writes);
  logger.info('one');
  logger.warn('two');
  expect(writes).toEqual([]);
  vi.advanceTimersByTime(50);
  expect(writes).toHaveLength(1);
  expect(writes[0]).toMatch(/^.*"msg":"one"}\n.*"msg":"two"}\n$/);
  for (let count = 0; count < 16; count += 1) lines.gather(`${'x'.repeat(1023)}\n`);
  expect(writes.map(({ length }) => length)[1]).toBe(16 * 1024);
  vi.advanceTimersByTime(1000);
  expect(writes).toHaveLength(2);
});

test('an error and earlier lines are written immediately; later lines are not flushed', () => {
  const writes: string[] = [];
  const { lines, logger } = linesTo(writes);
  logger.info('before');
  logger.error('broken');
  lines.gather('after\n');
  expect(writes).toHaveLength(1);
  expect(writes[0]).toMatch(/"msg":"before"}\n.*"msg":"broken"}\n$/);
  logger.flush();
  expect(writes).toEqual([writes[0], 'after\n']);
});

const logLines = fileURLToPath(new URL('./log-lines.ts', import.meta.url));

/** Runs a process that writes log lines and ends as specified by `how`; returns its output. */
function ended(how: string) {
  const script = `const { createLogger, createServedRequestLog } = await import(${JSON.stringify(logLines)});
    const logger = createLogger('info');
    for (let id = 0; id < 500; id += 1) createServedRequestLog(logger)({ reqId: String(id), path: '/', statusCode: 200, ms: 1 });
    logger.info('last');
    ${how}`;
  return new Program(process.execPath, ['--input-type=module', '--eval', script]).exit;
}

test.each([
  ['normally', ''],
  ['by process.exit', 'process.exit(3)'],
  ['by an uncaught exception', 'throw new Error("nobody catches this")'],
])('no log line is lost if a process ends %s', async (_, how) => {
  vi.useRealTimers();
  const { stdout } = await ended(how);
  const reported = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { reqId?: string; msg: string });
  expect(reported.slice(0, -1).map(({ reqId }) => Number(reqId))).toEqual(
    Array.from({ length: 500 }, (_each, id) => id),
  );
  expect(reported.at(-1)).toMatchObject({
    level: 30,
    pid: expect.any(Number),
    hostname: expect.any(String),
    msg: 'last',
  });
});
