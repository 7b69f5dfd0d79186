import { acceptedDialectFields, plantedDialectFields } from './planted-dialect-fields.ts';
import { cleanServer, plantedServerViolations } from './planted-in-server.ts';
import { acceptedJson, plantedJson } from './planted-json.ts';
import { plantedLink } from './planted-link.ts';
import { acceptedWording, plantedWording } from './planted-wording.ts';

type Files = Readonly<Record<string, string>>;

interface PlantedViolation {
  readonly rule: string;
  readonly file: string;
  /** The line with the word PLANTED is the one to be reported. */
  readonly text: string;
  readonly others?: Files;
}

const packageNames = [
  'contract',
  'dialects',
  'providers',
  'relay',
  'importer',
  'server',
  'console',
  'client',
  'testkit',
  'e2e',
];

/** A small tree that follows every rule. */
export const cleanTree: Files = {
  ...Object.fromEntries(packageNames.map((name) => [`packages/${name}/package.json`, '{}'])),
  'vite.config.ts': 'export default {};\n',
  'packages/contract/src/index.ts': "export * from './channel.ts';\n",
  'packages/contract/src/channel.ts': "import { z } from 'zod';\nexport const channel = z.object({});\n",
  'packages/providers/src/index.ts': "export * from './registry.ts';\n",
  'packages/providers/src/provider.ts':
    "import type { channel } from '@headgate/contract';\nexport type P = typeof channel;\n",
  'packages/providers/src/registry.ts': "import { groq } from './groq/index.ts';\nexport const providers = { groq };\n",
  'packages/providers/src/groq/index.ts': "export { chat as groq } from '../openai-compatible/chat.ts';\n",
  'packages/providers/src/openai-compatible/chat.ts': 'export const chat = {};\n',
  'packages/providers/src/ollama/index.ts': 'export const ollama = {};\n',
  'packages/dialects/src/index.ts': "export * from './gemini/index.ts';\n",
  'packages/dialects/src/gemini/index.ts': "export * from '../chat/chat-request.ts';\n",
  'packages/dialects/src/chat/chat-request.ts': 'export const request = 1;\n',
  'packages/relay/src/index.ts': "export * from './upstream/upstream.ts';\n",
  'packages/relay/src/upstream/upstream.ts':
    "import { Pool } from 'undici';\nexport const pool = new Pool('http://x');\n",
  ...cleanServer,
  'packages/server/src/config.ts':
    "import { BlockList, isIP } from 'node:net';\nexport const home = process.env['HOME'];\n",
  'packages/server/src/platform/db/database.ts': "import pg from 'pg';\nexport const database = pg;\n",
  'packages/server/src/accounts/users/user-repository.ts':
    "export { database } from '../../platform/db/database.ts';\n",
  'packages/server/src/accounts/users/user-service.ts': "export * from './user-repository.ts';\n",
  'packages/server/src/accounts/users/user-routes.ts': "export * from './user-service.ts';\n",
  'packages/server/src/accounts/api-tokens/token-service.ts': "export * from '../users/user-service.ts';\n",
  'packages/console/src/main.tsx': "import './app/pages.ts';\n",
  'packages/console/src/app/pages.ts': "export const load = () => import('../pages/user/user-page.tsx');\n",
  'packages/console/src/pages/user/user-page.tsx': "import '../../ui/table.tsx';\nimport '@headgate/contract';\n",
  'packages/console/src/pages/token/token-page.tsx': "import '../../lib/api/call.ts';\n",
  'packages/console/src/ui/table.tsx': 'export const table = 1;\n',
  'packages/console/src/lib/api/call.ts': "export const call = () => fetch('/api');\n",
  'packages/console/src/lib/api/log-failure.ts': "export const report = () => console.error('x');\n",
  'packages/testkit/src/index.ts':
    "import { createServer } from 'node:http';\nexport const upstream = createServer();\n",
  'packages/e2e/src/login.e2e.ts': "import '@headgate/testkit';\n",
  'scripts/start.ts': "await import('../packages/server/src/main.ts');\nconsole.log(process.env);\n",
};

/** Near misses: each is allowed for a different reason. */
export const acceptedTree: Files = {
  'packages/server/src/http/response-envelope.ts':
    "import type { IncomingMessage } from 'node:http';\nexport type M = IncomingMessage;\n",
  'packages/server/src/http/status.ts':
    "import { STATUS_CODES } from 'node:http';\nexport const codes = STATUS_CODES;\n",
  'packages/server/src/platform/db/rows.ts':
    "import type { Selectable } from 'kysely';\nexport type Row = Selectable<object>;\n",
  'packages/server/src/accounts/users/user-rights.ts':
    "import type { Row } from '../../platform/db/rows.ts';\nexport type User = Row;\n",
  'packages/server/src/accounts/users/user.test.ts':
    "import '@headgate/testkit';\nimport '../../platform/db/database.ts';\nimport './user-routes.ts';\nprocess.env['X'];\n",
  'packages/server/src/testing/server.ts': "import '@headgate/testkit';\nimport '../platform/db/database.ts';\n",
  'packages/relay/src/send.ts': 'export const send = (fetch: (url: string) => void) => fetch("x");\n',
  'packages/relay/src/status.ts': 'export const isOn = (channel: { status: number }) => channel.status === 1;\n',
  'packages/relay/src/object-kind.ts': 'export const isText = (part: { type: number }) => part.type === 1;\n',
  'packages/providers/src/ollama/chat.ts':
    'export const at = (seconds: number) => [new Date(seconds), ({ type: 1 }).type === 1];\n',
  'packages/providers/src/ollama/chat.test.ts': "import 'node:fs';\nDate.now();\n/\\s+$/;\n",
  ...acceptedDialectFields,
  'packages/relay/src/scan.test.ts': 'export const event = { choices: [], usage: { prompt_tokens: 1 } };\n',
  'packages/providers/src/openai-compatible/usage.ts': "export const field = 'prompt_tokens';\n",
  ...acceptedJson,
  ...acceptedWording,
  'packages/relay/src/trim.ts': 'export const line = /^\\d+\\s*$|-->|;.*/;\n',
  'packages/contract/src/channel.test.ts': "import 'node:fs';\nimport 'vitest';\n",
  'packages/console/src/ui/icon.tsx': "import icon from './icon.svg?url';\nexport const url = icon;\n",
  'packages/console/src/ui/icon.svg': '<svg/>',
  'packages/e2e/playwright.config.ts': "import '../../scripts/start.ts';\nexport default {};\n",
};

const inRelay = 'packages/relay/src/planted.ts';
const inOllama = 'packages/providers/src/ollama/chat.ts';

export const plantedViolations: readonly PlantedViolation[] = [
  ...plantedJson,
  ...[
    ['contract-imports-only-itself', 'contract', 'relay'],
    ['contract-imports-only-itself', 'contract', 'server'],
    ['dialects-imports-only-itself', 'dialects', 'providers'],
    ['providers-imports-only-contract-and-dialects', 'providers', 'relay'],
    ['relay-imports-only-contract-and-dialects-and-providers', 'relay', 'server'],
    ['importer-imports-only-contract-and-dialects-and-relay', 'importer', 'server'],
    ['server-imports-only-contract-and-dialects-and-providers-and-relay-and-importer', 'server', 'console'],
    ['console-imports-only-contract', 'console', 'providers'],
    ['client-imports-only-contract', 'client', 'relay'],
    ['testkit-imports-only-contract-and-client', 'testkit', 'server'],
    ['e2e-imports-only-contract-and-testkit', 'e2e', 'relay'],
  ].map(([rule = '', from, to]) => ({
    rule,
    file: `packages/${from}/src/${from === 'server' ? 'platform/' : ''}planted.ts`,
    text: `\nimport type { Planted } from '@headgate/${to}'; // PLANTED\nexport type { Planted };\n`,
  })),
  {
    rule: 'contract-needs-only-the-schema-library',
    file: 'packages/contract/src/planted.ts',
    text: "import dayjs from 'dayjs'; // PLANTED\nexport const now = dayjs;\n",
  },
  {
    rule: 'browser-code-has-no-node',
    file: 'packages/console/src/lib/planted.ts',
    text: "import { join } from 'path'; // PLANTED\nexport const path = join;\n",
  },
  {
    rule: 'browser-code-has-no-node',
    file: 'packages/contract/src/planted.ts',
    text: "export * from 'node:path'; // PLANTED\n",
  },
  {
    rule: 'packages-by-their-front-door',
    file: inRelay,
    text: "import { channel } from '@headgate/contract/src/channel.ts'; // PLANTED\nexport const x = channel;\n",
  },
  {
    rule: 'no-relative-imports-out-of-a-package',
    file: inRelay,
    text: "import { channel } from '../../contract/src/channel.ts'; // PLANTED\nexport const x = channel;\n",
  },
  {
    rule: 'no-relative-imports-out-of-a-package',
    file: inRelay,
    text: "export * from '../../../scripts/start.ts'; // PLANTED\n",
  },
  {
    rule: 'providers-do-not-talk',
    file: inOllama,
    text: "import { readFile } from 'node:fs/promises'; // PLANTED\nexport const read = readFile;\n",
  },
  { rule: 'providers-do-not-talk', file: inOllama, text: "export { request } from 'undici'; // PLANTED\n" },
  {
    rule: 'provider-folders-are-islands',
    file: inOllama,
    text: "export type Groq = typeof import('../groq/index.ts'); // PLANTED\n",
  },
  {
    rule: 'dialect-folders-are-islands',
    file: 'packages/dialects/src/ollama/index.ts',
    text: "export * from '../gemini/index.ts'; // PLANTED\n",
  },
  {
    rule: 'only-the-registry-knows-providers',
    file: 'packages/providers/src/planted.ts',
    text: "export { ollama } from './ollama/index.ts'; // PLANTED\n",
  },
  ...plantedServerViolations,
  {
    rule: 'routes-are-mounted-only-by-the-app',
    file: 'packages/server/src/accounts/users/planted.ts',
    text: "export * from './user-routes.ts'; // PLANTED\n",
  },
  {
    rule: 'pages-are-islands',
    file: 'packages/console/src/pages/user/planted.ts',
    text: "export * from '../token/token-page.tsx'; // PLANTED\n",
  },
  {
    rule: 'pages-are-islands',
    file: 'packages/console/src/pages/token/planted.ts',
    text: "export * from '../../app/pages.ts'; // PLANTED\n",
  },
  {
    rule: 'shared-console-code-knows-no-page',
    file: 'packages/console/src/ui/planted.ts',
    text: "export const page = () => import('../pages/token/token-page.tsx'); // PLANTED\n",
  },
  {
    rule: 'testkit-only-in-tests',
    file: 'packages/server/src/accounts/users/planted.ts',
    text: "export * from '@headgate/testkit'; // PLANTED\n",
  },
  {
    rule: 'no-cycles',
    file: inRelay,
    text: "import './second.ts'; // PLANTED\n",
    others: {
      'packages/relay/src/second.ts': "import './third.ts';\n",
      'packages/relay/src/third.ts': "import type { x } from './planted.ts';\nexport type X = typeof x;\n",
    },
  },
  {
    rule: 'no-cycles-of-folders',
    file: 'packages/relay/src/answer/planted.ts',
    text: "import '../request/first.ts'; // PLANTED\n",
    others: {
      'packages/relay/src/request/first.ts': 'export const first = 1;\n',
      'packages/relay/src/request/second.ts': "import '../answer/other.ts';\n",
      'packages/relay/src/answer/other.ts': 'export const other = 1;\n',
    },
  },
  {
    rule: 'no-cycles-of-folders',
    file: 'packages/server/src/accounts/passkeys/planted.ts',
    text: "import '../sessions/first.ts'; // PLANTED\n",
    others: {
      'packages/server/src/accounts/sessions/first.ts': 'export const first = 1;\n',
      'packages/server/src/accounts/sessions/second.ts': "import '../passkeys/other.ts';\n",
      'packages/server/src/accounts/passkeys/other.ts': 'export const other = 1;\n',
    },
  },
  { rule: 'imports-lead-somewhere', file: inRelay, text: "import './nowhere.ts'; // PLANTED\n" },
  { rule: 'imports-lead-somewhere', file: inRelay, text: "import '@headgate/nothing'; // PLANTED\n" },
  {
    rule: 'sockets-have-few-owners',
    file: inRelay,
    text: "import { isIP, connect } from 'node:net'; // PLANTED\nexport const x = [isIP, connect];\n",
  },
  { rule: 'sockets-have-few-owners', file: inRelay, text: "import 'ws'; // PLANTED\n" },
  {
    rule: 'sockets-have-few-owners',
    file: 'packages/console/src/pages/user/planted.ts',
    text: "export const load = () => fetch('/api'); // PLANTED\n",
  },
  {
    rule: 'sockets-have-few-owners',
    file: inRelay,
    text: "export const socket = new globalThis.WebSocket('ws://x'); // PLANTED\n",
  },
  {
    rule: 'environment-only-in-config',
    file: 'packages/server/src/accounts/users/planted.ts',
    text: "export const home = process.env['HOME']; // PLANTED\n",
  },
  { rule: 'environment-only-in-config', file: inRelay, text: 'export const { env } = process; // PLANTED\n' },
  {
    rule: 'environment-only-in-config',
    file: inRelay,
    text: "import { env } from 'node:process'; // PLANTED\nexport const x = env;\n",
  },
  { rule: 'no-console', file: inRelay, text: "\n\nconsole.log('x'); // PLANTED\n" },
  {
    rule: 'providers-have-no-clock-and-no-dice',
    file: inOllama,
    text: 'export const id = () => Math.random(); // PLANTED\n',
  },
  {
    rule: 'providers-have-no-clock-and-no-dice',
    file: inOllama,
    text: 'export const now = () => Date.now(); // PLANTED\n',
  },
  {
    rule: 'providers-have-no-clock-and-no-dice',
    file: inOllama,
    text: 'export const now = () => new Date(); // PLANTED\n',
  },
  {
    rule: 'channel-type-is-not-compared',
    file: inRelay,
    text: 'export const isAzure = (channel?: { type: number }) => channel?.type === 3; // PLANTED\n',
  },
  {
    rule: 'channel-type-is-not-compared',
    file: inRelay,
    text: 'export function f(a: any) {\n  switch (a.channel.type) { // PLANTED\n    case 3: return 1;\n  }\n}\n',
  },
  {
    rule: 'channel-type-is-not-compared',
    file: inRelay,
    text: 'export const f = (myChannel: any) => [3, 8].includes(myChannel.type); // PLANTED\n',
  },
  ...plantedDialectFields.map((line) => ({
    rule: 'relay-knows-no-dialect',
    file: inRelay,
    text: `${line} // PLANTED\n`,
  })),
  { rule: 'patterns-take-linear-time', file: inRelay, text: 'export const end = /\\s+$/; // PLANTED\n' },
  {
    rule: 'patterns-take-linear-time',
    file: inOllama,
    text: 'export const url = /^data:([^;,]+)[^,]*;base64,/; // PLANTED\n',
  },
  {
    rule: 'patterns-take-linear-time',
    file: inRelay,
    text: 'export const named = (name: string) => new RegExp(name); // PLANTED\n',
  },
  ...plantedWording.map((planted) => ({ rule: 'plain-english', ...planted })),
  plantedLink,
  { rule: 'no-default-exports', file: inRelay, text: 'export default 1; // PLANTED\n' },
  { rule: 'no-default-exports', file: inRelay, text: 'const x = 1;\nexport { x as default }; // PLANTED\n' },
];
