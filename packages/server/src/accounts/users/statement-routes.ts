import type { statementApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { StatementReader } from '../../records/statements/statement-service.ts';
import type { UserAdminService } from './user-admin-service.ts';

export const statementRoutes = (
  statements: StatementReader,
  care: UserAdminService,
): Handlers<typeof statementApi> => ({
  own: ({ caller, query }) => statements.of(caller, query),
  read: async ({ caller, params, query }) => statements.of(await care.readable(caller, params.id), query),
});
