import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { EventShape } from '../../packages/relay/src/framing/event-shape.ts';
import { MultiTextSearch } from '../../packages/relay/src/guards/multi-text-search.ts';
import { endpointKinds, responseScanOf } from '../../packages/relay/src/request/endpoint-kinds.ts';
import { textsInEvent } from '../../packages/relay/src/tokens/response-texts.ts';

// `node scripts/bench/plain-forms.ts`: measures how much hand-optimized code and direct imports save over their plain
// form, in nanoseconds of CPU time or megabytes of idle memory. The results are quoted in comments next to that code.

const rounds = 9;
const repeats = 20_000;

function nanoseconds(work: () => unknown): number {
  const figures = Array.from({ length: rounds }, () => {
    const began = process.cpuUsage();
    for (let index = 0; index < repeats; index += 1) work();
    const { user, system } = process.cpuUsage(began);
    return ((user + system) * 1000) / repeats;
  });
  return Math.round(Math.min(...figures));
}

function compare(what: string, plain: () => unknown, byHand: () => unknown): void {
  process.stdout.write(`${what}: plain ${nanoseconds(plain)} ns, optimized ${nanoseconds(byHand)} ns\n`);
}

const scan = responseScanOf(endpointKinds.chat);
const envelope = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'gpt-4o',
  system_fingerprint: 'fp_1',
};
const event = (content: string) =>
  JSON.stringify({ ...envelope, choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }] });
const lines = ['the', ' quick', ' brown', ' fox', ' jumps'].map(event);
let turn = 0;
const nextLine = () => lines[turn++ % lines.length] ?? '';

const fields = Object.values(scan.fields);
compare(
  'SoughtField, four fields of an event',
  () => {
    const line = nextLine();
    return fields.map(({ name }) => line.indexOf(name));
  },
  () => {
    const line = nextLine();
    return fields.map((field) => field.after(line));
  },
);

const shape = EventShape.of(lines[0] ?? '', textsInEvent(JSON.parse(lines[0] ?? ''), scan), scan.fields.content);
compare(
  'EventShape, the text of an event',
  () => textsInEvent(JSON.parse(nextLine()), scan).texts,
  () => shape?.fits(nextLine()),
);

/** About as many encodings as the key guard searches for one key. */
const spellings = Array.from({ length: 10 }, (_, index) =>
  Buffer.from(`sk-${index}-spelling-of-a-key-${index}-0123456789abcdef`),
);
const search = new MultiTextSearch(spellings);
const chunk = Buffer.from(lines.map((line) => `data: ${line}\n\n`).join(''));
compare(
  'SampledSearch, five events of one chunk',
  () => spellings.some((spelling) => chunk.includes(spelling)),
  () => search.isIn(chunk),
);

/** Memory of a process that listens and has a connection pool, depending on how it loads both. */
function residentMegabytes(loadPool: string, loadServer: string): number {
  const program = `${loadPool} ${loadServer} globalThis.pool = new Pool('http://127.0.0.1:1');
    createServer(() => undefined).listen(0, '127.0.0.1', () => {
      gc();
      process.stdout.write(String(process.memoryUsage.rss()));
      process.exit();
    });`;
  const flags = ['--expose-gc', '--input-type=module', '--eval', program];
  const cwd = join(import.meta.dirname, '../../packages/relay');
  const figures = Array.from({ length: rounds }, () =>
    Number(execFileSync(process.execPath, flags, { cwd }).toString()),
  );
  return Math.round(Math.min(...figures) / 1e5) / 10;
}

const front = "const { Pool } = await import('undici');";
const path = `const { createRequire } = process.getBuiltinModule('node:module');
  const Pool = createRequire(process.cwd() + '/x.js')('undici/lib/dispatcher/pool.js');`;
const imported = "const { createServer } = await import('node:http');";
const builtin = "const { createServer } = process.getBuiltinModule('node:http');";
process.stdout.write(
  `idle: plain ${residentMegabytes(front, imported)} MB, undici by path ${residentMegabytes(path, imported)} MB, node:http as builtin ${residentMegabytes(path, builtin)} MB\n`,
);
