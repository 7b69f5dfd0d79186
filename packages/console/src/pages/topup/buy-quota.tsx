import '@mantine/core/styles/Radio.css';
import '@mantine/core/styles/RadioCard.css';
import '@mantine/core/styles/RadioIndicator.css';
import type { PaymentOffer } from '@headgate/contract';
import { Button, Group, Paper, Radio, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatCurrency } from '../../lib/format/currency.ts';
import { useOrderLabels } from '../../lib/format/order-labels.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { createOrder, offersQuery } from './order-queries.ts';
import styles from './topup-page.module.css';

/** Purchase form; hidden while no amounts are on offer. */
export function BuyQuota() {
  const { t } = useTranslation();
  const { data: offers } = useQuery(offersQuery);
  const id = useId();
  if (!offers || offers.length === 0) return null;
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby={id}>
      <Title order={2} size="h3" mb="md" id={id}>
        {t('Buy quota')}
      </Title>
      <BuyForm offers={offers} />
    </Paper>
  );
}

/** A payment option: a provider, with one of its payment methods if it lists any. */
const waysOf = (offers: readonly PaymentOffer[]) =>
  offers.flatMap((offer) =>
    (offer.methods.length > 0 ? offer.methods : ['']).map((method) => ({
      id: `${offer.provider}:${method}`,
      offer,
      method,
    })),
  );

function BuyForm({ offers }: { readonly offers: readonly PaymentOffer[] }) {
  const { t } = useTranslation();
  const { methodOf } = useOrderLabels();
  const ways = waysOf(offers);
  const [wayId, setWayId] = useState(ways[0]?.id ?? '');
  const way = ways.find(({ id }) => id === wayId) ?? ways[0];
  const [cents, setCents] = useState(way?.offer.amounts[0]?.cents ?? 0);
  const buy = useMutation({
    mutationFn: createOrder,
    onSuccess: ({ url }) => window.location.assign(url),
  });
  if (!way) return null;
  const { provider, currency, amounts } = way.offer;
  const chosen = amounts.find((amount) => amount.cents === cents) ?? amounts[0];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen) buy.mutate({ provider, method: way.method, cents: chosen.cents });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Radio.Group
          label={t('Amount')}
          value={String(chosen?.cents ?? '')}
          onChange={(value) => setCents(Number(value))}
        >
          <div className={styles['amounts']}>
            {amounts.map((amount) => (
              <AmountRadio key={amount.cents} amount={amount} price={formatCurrency(amount.amount, currency)} />
            ))}
          </div>
        </Radio.Group>
        {ways.length > 1 && (
          <Radio.Group label={t('Payment method')} value={way.id} onChange={setWayId}>
            <Group gap="md" mt="xs">
              {ways.map(({ id, offer, method }) => (
                <Radio key={id} value={id} label={methodOf(offer.provider, method)} />
              ))}
            </Group>
          </Radio.Group>
        )}
        <Group justify="flex-end">
          {/* The browser leaves the page after success. */}
          <Button type="submit" loading={buy.isPending || buy.isSuccess}>
            {t('Pay {price}', { price: chosen ? formatCurrency(chosen.amount, currency) : '' })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface AmountRadioProps {
  readonly amount: PaymentOffer['amounts'][number];
  readonly price: string;
}

function AmountRadio({ amount: { cents, quota, bonus }, price }: AmountRadioProps) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const description = bonus > 0 ? `${price} · ${t('includes {percent}% bonus', { percent: bonus })}` : price;
  return (
    <Radio.Card
      value={String(cents)}
      className={styles['amount'] ?? ''}
      aria-label={`${format(quota)}, ${description}`}
    >
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <Radio.Indicator />
        <div>
          <Text fw={600}>{format(quota)}</Text>
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        </div>
      </Group>
    </Radio.Card>
  );
}
