import { isTest, isToolConfig, ownsSockets, socketRule } from './file-kinds.ts';
import type { Import } from './parsed-file.ts';

/** An import whose target is resolved. */
export interface Link extends Import {
  readonly from: string;
  readonly to: string;
}

/** Forbids imports from files that match `from` to targets that match `to`; `$1` is the first group of `from`. */
export interface ImportRule {
  readonly name: string;
  readonly message: string;
  readonly from: string;
  readonly to: string;
  /** Exceptions to `to`. */
  readonly toNot?: readonly string[];
  readonly isExempt?: (path: string) => boolean;
  readonly isHarmless?: (link: Link) => boolean;
}

const packageMayImport = {
  contract: [],
  dialects: [],
  providers: ['contract', 'dialects'],
  relay: ['contract', 'dialects', 'providers'],
  importer: ['contract', 'dialects', 'relay'],
  server: ['contract', 'dialects', 'providers', 'relay', 'importer'],
  console: ['contract'],
  client: ['contract'],
  testkit: ['contract', 'client'],
  e2e: ['contract', 'testkit'],
} as const satisfies Record<string, readonly string[]>;

const directionRules: ImportRule[] = Object.entries(packageMayImport).map(([name, allowed]) => ({
  name: `${name}-imports-only-${allowed.join('-and-') || 'itself'}`,
  message: `Within this repository, ${name} may import only ${['itself', ...allowed].join(', ')} (and testkit in tests).`,
  from: `^packages/${name}/`,
  to: '^packages/',
  toNot: [name, ...allowed, 'testkit'].map((other) => `^packages/${other}/`),
}));

const server = 'packages/server/src';

/** Areas of the server. Each may import only areas before it. */
export const serverAreas = [
  'platform',
  'http',
  'records',
  'accounts',
  'catalog',
  'observability',
  'relay',
  'settings',
  'process',
  'commands',
] as const;

const areaRules: ImportRule[] = serverAreas.slice(0, -1).map((area, index) => ({
  name: 'server-areas-are-layered',
  message: `${area} of the server may import only ${['itself', ...serverAreas.slice(0, index)].join(', ')}.`,
  from: `^${server}/${area}/`,
  to: `^${server}/(${serverAreas.slice(index + 1).join('|')})/`,
  isExempt: isTest,
}));

const sharedProviders = 'openai-compatible|anthropic|gemini|signing|testing';
const allowedSocketNames = new Set([
  'BlockList',
  'SocketAddress',
  'isIP',
  'isIPv4',
  'isIPv6',
  'METHODS',
  'STATUS_CODES',
]);

const mayTouchDatabase =
  /^packages\/server\/src\/((platform\/db|process\/app)\/|([^/]+\/create-[^/]+|settings\/config-file-commands|process\/run-server|commands\/(passwd|.+-command))\.ts$|.+-repository\.ts$)/;

export const importRules: readonly ImportRule[] = [
  ...directionRules,
  ...areaRules,
  {
    name: 'contract-needs-only-the-schema-library',
    message: 'contract may import no package except zod.',
    from: '^packages/contract/src/',
    to: '.',
    toNot: ['^packages/', '^node:', '^zod(/|$)'],
    isExempt: isTest,
  },
  {
    name: 'browser-code-has-no-node',
    message: 'contract and console run in the browser and must not import Node modules.',
    from: '^packages/(contract|console)/src/',
    to: '^node:',
    isExempt: isTest,
  },
  {
    name: 'packages-by-their-front-door',
    message: 'Import a package by its name (@headgate/x), not by a file inside it.',
    from: '^packages/([^/]+)/',
    to: '^packages/[^/]+/',
    toNot: ['^packages/$1/', '^packages/[^/]+/src/index\\.ts$'],
    isHarmless: isRelative,
  },
  {
    name: 'no-relative-imports-out-of-a-package',
    message: 'Relative imports must stay inside their package; import other packages as @headgate/x.',
    from: '^packages/([^/]+)/',
    to: '.',
    toNot: ['^packages/$1/'],
    isExempt: isToolConfig,
    isHarmless: (link) => !isRelative(link),
  },
  {
    name: 'providers-do-not-talk',
    message: 'dialects and providers are pure: no sockets, no files, no database, no processes.',
    from: '^packages/(dialects|providers)/src/',
    to: '^(node:(http|https|http2|net|tls|dgram|dns|fs|sqlite|child_process|worker_threads|cluster)|undici|ws|pg|kysely)(/|$)',
    isExempt: isTest,
  },
  {
    name: 'provider-folders-are-islands',
    message:
      'A provider folder must not import another, except openai-compatible, anthropic, gemini, signing and, in tests, testing.',
    from: '^packages/providers/src/([^/]+)/',
    to: '^packages/providers/src/[^/]+/',
    toNot: ['^packages/providers/src/$1/', `^packages/providers/src/(${sharedProviders})/`],
  },
  {
    name: 'dialect-folders-are-islands',
    message: 'A dialect folder must not import another; chat is the neutral form between them.',
    from: '^packages/dialects/src/(?!chat/)([^/]+)/',
    to: '^packages/dialects/src/[^/]+/',
    toNot: ['^packages/dialects/src/$1/', '^packages/dialects/src/chat/'],
    isExempt: isTest,
  },
  {
    name: 'only-the-registry-knows-providers',
    message: 'Only registry.ts may import provider folders.',
    from: '^packages/providers/src/(?!registry\\.ts$)[^/]+$',
    to: '^packages/providers/src/[^/]+/',
  },
  {
    name: 'only-repositories-touch-the-database',
    message:
      'Only *-repository.ts, platform/db itself, create-*.ts of an area, config-file-commands, process/app, run-server and commands may import the database; rows.ts, transaction.ts, await-confirmation.ts and database-limits.ts are allowed everywhere.',
    from: '^packages/server/src/',
    to: '^(packages/server/src/platform/db/|(kysely|pg|node:sqlite)(/|$))',
    toNot: ['^packages/server/src/platform/db/(rows|transaction|await-confirmation|database-limits)\\.ts$'],
    isExempt: (path) => isTest(path) || mayTouchDatabase.test(path),
  },
  {
    name: 'resources-meet-at-the-service',
    message: 'A resource must use another through its service, not its repository or routes.',
    from: '^packages/server/src/(?!process/app/|commands/|[^/]+/create-[^/]+$)(relay|http|[^/]+/[^/]+)/',
    to: '^packages/server/src/[^/]+/.+-(repository|routes)\\.ts$',
    toNot: ['^packages/server/src/$1/'],
    isExempt: isTest,
    // For options and managed configuration, the area settings changes values that the area platform stores.
    isHarmless: ({ from, to }) => from.startsWith(`${server}/settings/`) && to.startsWith(`${server}/platform/`),
  },
  {
    name: 'routes-are-mounted-only-by-the-app',
    message: 'Only build-app.ts and app-routes.ts of server/src/process/app may mount routes.',
    from: '^packages/server/src/(?!process/app/(build-app|app-routes)\\.ts$)',
    to: '^packages/server/src/.+-routes\\.ts$',
    isExempt: isTest,
  },
  {
    name: 'pages-are-islands',
    message: 'A page must not import another page or anything of app.',
    from: '^packages/console/src/pages/([^/]+)/',
    to: '^packages/console/src/(pages|app)/',
    toNot: ['^packages/console/src/pages/$1/'],
  },
  {
    name: 'shared-console-code-knows-no-page',
    message: 'ui, lib and i18n must not import pages or app.',
    from: '^packages/console/src/(ui|lib|i18n)/',
    to: '^packages/console/src/(pages|app)/',
  },
  {
    name: 'importer-is-loaded-on-demand',
    message: "Only the server's import command may load the importer, by import(); other files may import its types.",
    from: '^packages/server/src/',
    to: '^(packages/importer/|mysql2(/|$))',
    isExempt: (path) => isTest(path) || path === `${server}/commands/import-command.ts`,
    isHarmless: ({ isTypeOnly }) => isTypeOnly,
  },
  {
    name: 'testkit-only-in-tests',
    message: 'Only tests may import testkit.',
    from: '.',
    to: '^packages/testkit/',
    isExempt: isTest,
  },
  {
    ...socketRule,
    from: '^packages/(?!providers/|dialects/)',
    to: '^(undici|ws|node:(http|https|http2|net|tls|dgram))(/|$)',
    isExempt: ownsSockets,
    isHarmless: ({ isTypeOnly, names }) =>
      isTypeOnly || (names.length > 0 && names.every((name) => allowedSocketNames.has(name))),
  },
];

/** True if the rule forbids this import. */
export function isForbidden(rule: ImportRule, link: Link): boolean {
  const origin = new RegExp(rule.from).exec(link.from);
  if (origin === null || rule.isExempt?.(link.from) || rule.isHarmless?.(link)) return false;
  const fits = (pattern: string) => new RegExp(pattern.replaceAll('$1', escaped(origin[1] ?? ''))).test(link.to);
  return fits(rule.to) && !(rule.toNot ?? []).some(fits);
}

function isRelative({ specifier }: Link): boolean {
  return specifier.startsWith('.');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
