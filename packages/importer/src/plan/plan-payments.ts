import { defaultOptions } from '@headgate/contract';
import { type ImportedRow, isSkipped, type MappedRow } from '../mapping/map-options.ts';
import { type ImportedOrder, isCompleted, mapPlanOrder, mapTopUp, providerOf } from '../mapping/map-order.ts';
import { type ImportedPlan, mapPlan, planNameOf } from '../mapping/map-plan.ts';
import { type ImportedUserPlan, isRunning, mapUserPlan } from '../mapping/map-user-plan.ts';
import type { SourceContents, SourceRow } from '../source/source.ts';
import { readInteger, readText, truncate } from '../source/source-values.ts';
import type { TargetState } from '../target.ts';
import { ImportTally, rowLabel, type TableReport } from './import-tally.ts';
import { checkLength, createIdCheck, idLabel, planTable } from './plan-options.ts';

/** Plans, plans of users and completed orders. Only new-api has them. */
export interface ImportedPayments {
  readonly plans: readonly ImportedPlan[];
  readonly userPlans: readonly ImportedUserPlan[];
  readonly orders: readonly ImportedOrder[];
}

interface PaymentsContext {
  readonly here: TargetState;
  readonly now: number;
  /** Source ids of users who exist here or are imported in this run. */
  readonly users: ReadonlySet<string>;
}

type Tables = SourceContents['tables'];

const skippedUser = { reason: 'belongs to a user who is skipped' };

export function planPayments(
  tables: Tables,
  around: PaymentsContext,
): ImportedPayments & { readonly reports: readonly TableReport[] } {
  const plans = planPlans(tables.subscription_plans, around);
  const names = new Map(plans.rows.map(({ sourceId, name }) => [String(sourceId), name]));
  const titles = new Map(tables.subscription_plans.map((row) => [idLabel(row), readText(row, 'title')]));
  const nameOf = (row: SourceRow) => {
    const id = readText(row, 'plan_id');
    return names.get(id) ?? planNameOf(titles.get(id) ?? '', id);
  };
  const userPlans = planUserPlans(tables, nameOf, around);
  const orders = planOrders(tables, nameOf, around);
  const reports = [plans.report, userPlans.report, orders.report].filter(({ read }) => read > 0);
  return { plans: plans.rows, userPlans: userPlans.rows, orders: orders.rows, reports };
}

function planPlans(rows: readonly SourceRow[], { here, now }: PaymentsContext) {
  const taken = new Set(here.planNames);
  return planTable<ImportedPlan>(rows, {
    kind: 'plan',
    name: 'plans',
    faultOf: createIdCheck(),
    labelOf: (row) => rowLabel('plan', idLabel(row), truncate(readText(row, 'title'), 60)),
    isHere: (row) => here.imported.plan.has(idLabel(row)),
    map: (row) => {
      const outcome = mapPlan(row, now);
      return [isSkipped(outcome) ? outcome : withFreeName(outcome, taken)];
    },
  });
}

/** Names of plans are unique. */
function withFreeName({ row, changes }: ImportedRow<ImportedPlan>, taken: Set<string>): ImportedRow<ImportedPlan> {
  let name = row.name;
  for (let count = 2; taken.has(name); count += 1) name = `${truncate(row.name, 50).trim()} ${count}`;
  taken.add(name);
  if (name === row.name) return { row, changes };
  const renamed = `is renamed to ${JSON.stringify(name)} because the name is taken`;
  return { row: { ...row, name }, changes: [...changes, renamed] };
}

function planUserPlans(
  { user_subscriptions, subscription_plans }: Tables,
  nameOf: (row: SourceRow) => string,
  { here, now, users }: PaymentsContext,
) {
  const plans = new Map(subscription_plans.map((row) => [idLabel(row), row]));
  const idFault = createIdCheck();
  const isHere = (row: SourceRow) => here.imported.user_plan.has(idLabel(row));
  const rows = user_subscriptions.filter((row) => isHere(row) || isRunning(row, now));
  return planWithSkipped<ImportedUserPlan>(
    { name: 'plans of users', rows, skipped: [[user_subscriptions.length - rows.length, 'not valid any more']] },
    (row) => idFault(row) ?? (isHere(row) ? undefined : userPlanOf(row)),
    'plan of user',
  );

  function userPlanOf(row: SourceRow): MappedRow<ImportedUserPlan> {
    if (!users.has(readText(row, 'user_id'))) return skippedUser;
    return mapUserPlan(row, { plan: plans.get(readText(row, 'plan_id')), name: nameOf(row), now });
  }
}

function planOrders(
  { top_ups, subscription_orders, options }: Tables,
  nameOf: (row: SourceRow) => string,
  { here, now, users }: PaymentsContext,
) {
  const rate = options.find((row) => readText(row, 'key') === 'QuotaPerUnit');
  const quotaPerUnit = Number(rate ? readText(rate, 'value') : '') || defaultOptions.QuotaPerUnit;
  // The source repeats each order of a plan in its top-ups.
  const planNumbers = new Set(subscription_orders.map((row) => readText(row, 'trade_no')));
  const given = [
    ...top_ups.filter((row) => !planNumbers.has(readText(row, 'trade_no'))).map((row) => ({ row, isPlan: false })),
    ...subscription_orders.map((row) => ({ row, isPlan: true })),
  ];
  const completed = given.filter(({ row }) => isCompleted(row));
  // No money was paid; the balance has been reduced already.
  const paid = completed.filter(({ row }) => providerOf(row) !== 'balance');
  const planRows = new Set(paid.flatMap(({ row, isPlan }) => (isPlan ? [row] : [])));
  const numbers = new Set(here.orderNumbers);
  const idFaults = { plan: createIdCheck(), topUp: createIdCheck() };
  return planWithSkipped<ImportedOrder>(
    {
      name: 'orders',
      rows: paid.map(({ row }) => row),
      skipped: [
        [given.length - completed.length, 'not completed'],
        [completed.length - paid.length, 'paid from the balance'],
      ],
    },
    (row) => {
      const isPlan = planRows.has(row);
      const fault = (isPlan ? idFaults.plan : idFaults.topUp)(row);
      const sourceId = `${isPlan ? 'subscription' : 'top_up'}:${readInteger(row, 'id')}`;
      return fault ?? (here.imported.order.has(sourceId) ? undefined : newOrder(row, isPlan));
    },
    'order',
  );

  function newOrder(row: SourceRow, isPlan: boolean): MappedRow<ImportedOrder> {
    if (!users.has(readText(row, 'user_id'))) return skippedUser;
    const outcome = isPlan ? mapPlanOrder(row, { plan: nameOf(row), now }) : mapTopUp(row, { quotaPerUnit, now });
    if (isSkipped(outcome)) return outcome;
    if (numbers.has(outcome.row.number)) return { reason: 'has a number that is already in use' };
    numbers.add(outcome.row.number);
    return outcome;
  }
}

interface PlannedRows {
  readonly name: string;
  readonly rows: readonly SourceRow[];
  /** Numbers of rows that are skipped for the same reason. */
  readonly skipped: readonly (readonly [count: number, reason: string])[];
}

/** Plans the import of rows; `map` returns undefined for a row that was imported by an earlier run. */
function planWithSkipped<Row>(
  { name, rows, skipped }: PlannedRows,
  map: (row: SourceRow) => MappedRow<Row> | undefined,
  label: string,
) {
  const tally = new ImportTally(name);
  const planned: Row[] = [];
  for (const row of rows) {
    const outcome = map(row);
    if (!outcome) {
      tally.addExisting();
      continue;
    }
    const checked = checkLength(row) ?? outcome;
    if (!isSkipped(checked)) planned.push(checked.row);
    tally.add(rowLabel(label, idLabel(row)), [checked]);
  }
  for (const [count, reason] of skipped) tally.addSkipped(count, reason);
  return { rows: planned, report: tally.report };
}
