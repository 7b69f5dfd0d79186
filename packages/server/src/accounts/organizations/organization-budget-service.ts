import type { Budget, organizationBudgetApi, Parsed } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { OfOrganization } from '../budgets/budget-permissions.ts';
import type { BudgetService } from '../budgets/budget-service.ts';
import type { OrganizationAccess } from './organization-access.ts';
import type { OrganizationMemberRepository } from './organization-member-repository.ts';

type Creation = Parsed<typeof organizationBudgetApi.create>['body'];
type Update = Parsed<typeof organizationBudgetApi.update>['body'];

interface OrganizationBudgetServiceDependencies {
  readonly access: OrganizationAccess;
  readonly budgets: BudgetService;
  readonly members: OrganizationMemberRepository;
  readonly inTransaction: InTransaction;
}

interface BudgetChange {
  readonly transaction: Transaction;
  readonly budgets: BudgetService;
  readonly organization: OfOrganization;
}

/** Budgets of an organization, its members, projects and API tokens. */
export class OrganizationBudgetService {
  readonly #dependencies: OrganizationBudgetServiceDependencies;

  constructor(dependencies: OrganizationBudgetServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async list(actor: UserRow, id: number): Promise<Budget[]> {
    await this.#dependencies.access.require(actor, id, 'see_budgets');
    return this.#dependencies.budgets.ofOrganization(id);
  }

  create(actor: UserRow, id: number, { owner_id, ...creation }: Creation): Promise<Budget> {
    return this.#change(actor, id, async ({ budgets, transaction, organization }) => {
      const owners = {
        user: async () => id,
        member: async () => (await this.#dependencies.members.within(transaction).find(id, owner_id))?.id ?? 0,
        project: async () => owner_id,
        token: async () => owner_id,
      };
      const owner = await owners[creation.kind]();
      if (owner === 0) throw new ApiError('budgetOwnerUnknown');
      return budgets.createInOrganization(actor, organization, { ...creation, owner_id: owner });
    });
  }

  update(actor: UserRow, id: number, update: Update): Promise<Budget> {
    return this.#change(actor, id, ({ budgets, organization }) =>
      budgets.updateInOrganization(actor, organization, update),
    );
  }

  remove(actor: UserRow, id: number, budget: number): Promise<void> {
    return this.#change(actor, id, ({ budgets, organization }) =>
      budgets.removeInOrganization(actor, organization, budget),
    );
  }

  #change<T>(actor: UserRow, id: number, work: (change: BudgetChange) => Promise<T>): Promise<T> {
    const { access, budgets, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const { role } = await access.requireLocked(transaction, actor, id, 'manage_budgets');
      // Gateway admins who are members act as members.
      const organization = { id, isByAdmin: role === undefined };
      return work({ transaction, budgets: budgets.within(transaction), organization });
    });
  }
}
