import type { OwnPlan, PlanOffer } from '@headgate/contract';
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatCurrency } from '../../lib/format/currency.ts';
import { useOrderLabels } from '../../lib/format/order-labels.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { openConfirmation } from '../../ui/confirm.tsx';
import { UsedWindows, WindowList } from '../../ui/plan/plan-windows.tsx';
import { buyPlan, cancelPlan, ownPlansQuery, planOffersQuery } from './plan-queries.ts';
import { PlanValidity, RenewalButton } from './renewal.tsx';

/** The user's valid plans; hidden without any. */
export function OwnPlans() {
  const { t } = useTranslation();
  const { data: plans } = useQuery(ownPlansQuery);
  const id = useId();
  if (!plans || plans.length === 0) return null;
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby={id}>
      <Title order={2} size="h3" mb="xs" id={id}>
        {t('Your plans')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('Plans pay for your requests first, in this order. Your balance pays when a limit is reached.')}
      </Text>
      <Stack gap="lg">
        {plans.map((plan) => (
          <Stack key={plan.id} gap="xs">
            <Group justify="space-between">
              <Text fw={600}>{plan.name}</Text>
              <PlanValidity plan={plan} />
            </Group>
            <UsedWindows windows={plan.windows} />
            <Coverage plan={plan} />
            <Group justify="flex-end">
              {plan.renewal && <RenewalButton plan={plan} renews={plan.renewal.renews} />}
              {!plan.renewal?.renews && <CancelButton plan={plan} />}
            </Group>
          </Stack>
        ))}
      </Stack>
    </Paper>
  );
}

function CancelButton({ plan: { id, name } }: { readonly plan: OwnPlan }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: cancelPlan,
    onSuccess: () => showMessage('success', t('Plan canceled')),
    onSettled: () => queries.invalidateQueries({ queryKey: ['plan'] }),
  });
  return (
    <Button
      variant="default"
      size="xs"
      loading={cancel.isPending}
      aria-label={`${name}: ${t('Cancel plan')}`}
      onClick={() =>
        openConfirmation({
          title: t('Cancel the plan {name}?', { name }),
          text: t('The plan ends immediately and cannot be restored. Its payment is not refunded.'),
          confirm: t('Cancel plan'),
          cancel: t('Keep plan'),
          onConfirm: () => cancel.mutate(id),
        })
      }
    >
      {t('Cancel plan')}
    </Button>
  );
}

/** Plans for sale; hidden while there are none. */
export function BuyPlans() {
  const { t } = useTranslation();
  const { data: offers } = useQuery(planOffersQuery);
  const id = useId();
  const buy = useMutation({
    mutationFn: buyPlan,
    onSuccess: ({ url }) => window.location.assign(url),
  });
  if (!offers || offers.length === 0) return null;
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby={id}>
      <Title order={2} size="h3" mb="md" id={id}>
        {t('Buy a plan')}
      </Title>
      <Stack gap="lg">
        {offers.map((offer) => (
          <Offer
            key={offer.id}
            offer={offer}
            isBuying={buy.isPending || buy.isSuccess}
            onBuy={(way) => buy.mutate({ plan_id: offer.id, ...way })}
          />
        ))}
      </Stack>
    </Paper>
  );
}

interface Way {
  readonly provider: PlanOffer['providers'][number]['provider'];
  readonly method: string;
}

interface OfferProps {
  readonly offer: PlanOffer;
  readonly isBuying: boolean;
  readonly onBuy: (way: Way) => void;
}

const waysOf = ({ providers }: PlanOffer): readonly Way[] =>
  providers.flatMap(({ provider, methods }) =>
    (methods.length > 0 ? methods : ['']).map((method) => ({ provider, method })),
  );

function Offer({ offer, isBuying, onBuy }: OfferProps) {
  const { t } = useTranslation();
  const { methodOf } = useOrderLabels();
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text fw={600}>{offer.name}</Text>
        <Text>
          {t(offer.recurring ? '{price} every {days} days' : '{price} for {days} days', {
            price: formatCurrency(offer.price, offer.currency),
            days: offer.days,
          })}
        </Text>
      </Group>
      {offer.description !== '' && <Text size="sm">{offer.description}</Text>}
      <WindowList windows={offer.windows} />
      <Coverage plan={offer} />
      <Group justify="flex-end">
        {waysOf(offer).map((way) => (
          <Button
            key={`${way.provider}:${way.method}`}
            disabled={!offer.available}
            loading={isBuying}
            aria-label={`${offer.name}: ${t('Buy with {method}', { method: methodOf(way.provider, way.method) })}`}
            onClick={() => onBuy(way)}
          >
            {t('Buy with {method}', { method: methodOf(way.provider, way.method) })}
          </Button>
        ))}
      </Group>
      {offer.recurring && (
        <Text size="sm" c="dimmed">
          {t('Renews automatically. You can cancel the renewal at any time.')}
        </Text>
      )}
      {!offer.available && (
        <Text size="sm" c="dimmed">
          {t('You already have this plan or an unpaid order of it.')}
        </Text>
      )}
    </Stack>
  );
}

/** Models and groups that a plan is limited to. */
function Coverage({ plan }: { readonly plan: Pick<PlanOffer, 'models' | 'groups'> }) {
  const { t } = useTranslation();
  return (
    <>
      {plan.models !== '' && (
        <Text size="sm" c="dimmed">
          {t('Models: {names}', { names: plan.models.replaceAll(',', ', ') })}
        </Text>
      )}
      {plan.groups !== '' && (
        <Text size="sm" c="dimmed">
          {t('Groups: {names}', { names: plan.groups.replaceAll(',', ', ') })}
        </Text>
      )}
    </>
  );
}
