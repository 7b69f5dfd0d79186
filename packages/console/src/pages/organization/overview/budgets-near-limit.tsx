import type { Budget, BudgetKind, Organization } from '@headgate/contract';
import { Anchor, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { BudgetBar, budgetOwnerLabel } from '../../../ui/effective-limits/budget-bar.tsx';
import { RowSection, SectionRow } from '../../../ui/row-section/row-section.tsx';
import { type OrganizationTab, organizationLink } from '../organization-address.ts';
import { budgetsQuery, hasPermission, usedFraction } from '../organization-queries.ts';
import { OwnerBudgetsDialog } from '../owner-budgets-dialog.tsx';

/** Usage share above which a budget is listed. */
const nearShare = 0.8;

const tabOf: Readonly<Partial<Record<BudgetKind, OrganizationTab>>> = {
  member: 'members',
  project: 'projects',
  token: 'tokens',
};

/** Budgets that are (nearly) used up, and the organization's own budgets. */
export function BudgetsNearLimit({ organization }: { readonly organization: Organization }) {
  const { t } = useTranslation();
  const { id } = organization;
  const { data, error, refetch } = useQuery(budgetsQuery(id));
  const [isEditing, setEditing] = useState(false);
  const rows = data
    ?.filter((budget) => budget.enabled && (budget.kind === 'user' || usedFraction(budget) >= nearShare))
    .toSorted((one, other) => usedFraction(other) - usedFraction(one));
  return (
    <>
      <RowSection
        title={t('Budgets near their limit')}
        help={t(
          'Budgets of members, projects and API tokens that are used by 80% or more, and those of the organization.',
        )}
        rows={rows}
        error={error}
        errorTitle={t('Budgets could not be loaded')}
        onRetry={() => void refetch()}
        empty={t('No budget is near its limit.')}
        tool={
          hasPermission(organization, 'manage_budgets') && (
            <Button size="xs" variant="default" onClick={() => setEditing(true)}>
              {t('Set organization budget')}
            </Button>
          )
        }
      >
        {(budget) => (
          <SectionRow key={budget.id} actions={null} after={null}>
            <OwnerName budget={budget} organization={organization} />
            <BudgetBar budget={budget} />
          </SectionRow>
        )}
      </RowSection>
      {isEditing && (
        <OwnerBudgetsDialog
          organization={organization}
          owner={{ kind: 'user', id, name: organization.name }}
          onClosed={() => setEditing(false)}
        />
      )}
    </>
  );
}

interface OwnerNameProps {
  readonly budget: Budget;
  readonly organization: Organization;
}

function OwnerName({ budget, organization: { id, name } }: OwnerNameProps) {
  const { t } = useTranslation();
  const tab = tabOf[budget.kind];
  if (!tab) return <span>{t('Organization {name}', { name })}</span>;
  return (
    <Anchor component={Link} {...organizationLink(id, tab, { keyword: budget.owner })} size="sm">
      {budgetOwnerLabel(t, { ...budget, username: '' })}
    </Anchor>
  );
}
