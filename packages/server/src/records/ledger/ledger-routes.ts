import type { ledgerApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { LedgerRepository } from './ledger-repository.ts';

export const ledgerRoutes = (ledger: LedgerRepository): Handlers<typeof ledgerApi> => ({
  check: () => ledger.check(),
});
