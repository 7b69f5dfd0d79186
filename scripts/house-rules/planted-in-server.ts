/** Server files without violations. Only the import command may load the importer. */
export const cleanServer = {
  'packages/server/src/main.ts': "import './process/app/build-app.ts';\n",
  'packages/server/src/accounts/create-accounts-module.ts':
    "import '../platform/db/database.ts';\nimport './users/user-repository.ts';\n",
  'packages/server/src/process/app/app-routes.ts':
    "import '../../accounts/users/user-routes.ts';\nimport '../../accounts/users/user-repository.ts';\n",
  'packages/server/src/process/app/build-app.ts':
    "import '../../accounts/users/user-routes.ts';\nimport '../../platform/db/database.ts';\nimport { sql } from 'kysely';\nsql;\n",
  'packages/importer/src/index.ts': 'export const planImport = 1;\n',
  'packages/server/src/commands/import-command.ts': "export const load = () => import('@headgate/importer');\n",
} as const;

/** Misplaced server files, and imports that its areas and resources forbid. */
export const plantedServerViolations = [
  { rule: 'server-files-lie-in-areas', file: 'packages/server/src/planted.ts', text: 'export {}; // PLANTED\n' },
  {
    rule: 'server-files-lie-in-areas',
    file: 'packages/server/src/planted/planted.ts',
    text: 'export {}; // PLANTED\n',
  },
  {
    rule: 'server-areas-are-layered',
    file: 'packages/server/src/records/planted.ts',
    text: "export * from '../accounts/users/user-service.ts'; // PLANTED\n",
  },
  {
    rule: 'only-repositories-touch-the-database',
    file: 'packages/server/src/accounts/users/first-user.ts',
    text: "import type { database } from '../../platform/db/database.ts'; // PLANTED\nexport type D = typeof database;\n",
  },
  {
    rule: 'only-repositories-touch-the-database',
    file: 'packages/server/src/accounts/users/first-user.ts',
    text: "export { sql } from 'kysely'; // PLANTED\n",
  },
  {
    rule: 'importer-is-loaded-on-demand',
    file: 'packages/server/src/commands/planted.ts',
    text: "export const load = () => import('@headgate/importer'); // PLANTED\n",
  },
  {
    rule: 'resources-meet-at-the-service',
    file: 'packages/server/src/accounts/api-tokens/planted.ts',
    text: "export * from '../users/user-repository.ts'; // PLANTED\n",
  },
  {
    rule: 'only-repositories-touch-the-database',
    file: 'packages/server/src/accounts/planted.ts',
    text: "export * from '../platform/db/database.ts'; // PLANTED\n",
  },
  {
    rule: 'resources-meet-at-the-service',
    file: 'packages/server/src/relay/planted.ts',
    text: "export * from '../accounts/users/user-repository.ts'; // PLANTED\n",
  },
  {
    rule: 'routes-are-mounted-only-by-the-app',
    file: 'packages/server/src/process/planted.ts',
    text: "export * from '../accounts/users/user-routes.ts'; // PLANTED\n",
  },
] as const;
