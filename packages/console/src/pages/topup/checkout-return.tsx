import { Alert, Anchor } from '@mantine/core';
import { IconCircleCheck, IconClock, IconInfoCircle } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { selfQuery } from '../../lib/account/self-query.ts';
import { isOpenState, useOrderLabels } from '../../lib/format/order-labels.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { checkoutReturnQuery, ownOrdersKey } from './order-queries.ts';
import { ownPlansQuery, planOffersQuery } from './plan-queries.ts';

/** State of the order after the buyer has returned from the provider. */
export function CheckoutReturn({ number }: { readonly number: string }) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const { stateOf } = useOrderLabels();
  const queries = useQueryClient();
  const { data: order } = useQuery(checkoutReturnQuery(number));
  const state = order?.state;
  useEffect(() => {
    if (state === undefined) return;
    void queries.invalidateQueries({ queryKey: ownOrdersKey });
    if (state !== 'credited') return;
    void queries.invalidateQueries({ queryKey: selfQuery.queryKey });
    void queries.invalidateQueries({ queryKey: ownPlansQuery.queryKey });
    void queries.invalidateQueries({ queryKey: planOffersQuery.queryKey });
  }, [state, queries]);
  if (!order) return null;
  const receipt = (
    <Anchor component={Link} to={`/topup/order/${number}`} inherit>
      {t('Receipt')}
    </Anchor>
  );
  if (order.state === 'credited') {
    return (
      <Alert color="green" icon={<IconCircleCheck aria-hidden />} role="status" title={t('Payment received')}>
        {order.plan_name === ''
          ? t('{amount} added', { amount: format(order.credited_quota) })
          : t('Plan {name} is active', { name: order.plan_name })}{' '}
        · {receipt}
      </Alert>
    );
  }
  if (isOpenState(order.state)) {
    return (
      <Alert color="yellow" icon={<IconClock aria-hidden />} role="status" title={t('Waiting for the payment')}>
        {order.plan_name === ''
          ? t('The quota is added as soon as the payment is confirmed. You can leave this page.')
          : t('The plan starts as soon as the payment is confirmed. You can leave this page.')}
      </Alert>
    );
  }
  return (
    <Alert color="gray" icon={<IconInfoCircle aria-hidden />} role="status" title={stateOf(order.state)}>
      {t('Order {number}', { number })} · {receipt}
    </Alert>
  );
}
