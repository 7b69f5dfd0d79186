import type { Redemption } from '@headgate/contract';
import { useQuery } from '@tanstack/react-query';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { plansQuery } from '../../ui/plan/plans-query.ts';

type Value = Pick<Redemption, 'quota' | 'plan_id'>;

/** Quota of a code, or the name of its plan. */
export function RedemptionValue({ code }: { readonly code: Value }) {
  return usePlanName(code.plan_id, useQuotaFormat()(code.quota));
}

/** Name of a plan; `otherwise` without a plan. A deleted plan is shown by its ID. */
export function usePlanName(id: number, otherwise = ''): string {
  const { data } = useQuery({ ...plansQuery, enabled: id > 0 });
  return id > 0 ? (data?.find((plan) => plan.id === id)?.name ?? `#${id}`) : otherwise;
}
