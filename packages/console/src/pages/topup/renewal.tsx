import type { OwnPlan } from '@headgate/contract';
import { Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { openConfirmation } from '../../ui/confirm.tsx';
import { Time } from '../../ui/time.tsx';
import { setRenewal } from './plan-queries.ts';

/** When a plan ends or renews. */
export function PlanValidity({ plan: { renewal, ends_time } }: { readonly plan: OwnPlan }) {
  const { t } = useTranslation();
  if (renewal?.payment_failed)
    return (
      <Text size="sm" c="red">
        {t('Payment of the renewal failed. It will be repeated.')}
      </Text>
    );
  return (
    <Text size="sm" c="dimmed">
      {renewal?.renews ? t('Renews on') : t('Valid until')} <Time seconds={renewal?.period_end ?? ends_time} />
    </Text>
  );
}

interface RenewalButtonProps {
  readonly plan: OwnPlan;
  readonly renews: boolean;
}

/** Cancels the renewal of a plan, or resumes it before the plan has ended. */
export function RenewalButton({ plan: { id, name }, renews }: RenewalButtonProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: setRenewal,
    onSuccess: () => showMessage('success', renews ? t('Renewal canceled') : t('Renewal resumed')),
    onSettled: () => queries.invalidateQueries({ queryKey: ['plan'] }),
  });
  const label = renews ? t('Cancel renewal') : t('Resume renewal');
  const confirmFirst = () =>
    openConfirmation({
      title: t('Cancel the renewal of {name}?', { name }),
      text: t('The plan ends with the paid period. You can resume the renewal until then.'),
      confirm: t('Cancel renewal'),
      cancel: t('Keep renewal'),
      onConfirm: () => change.mutate({ id, renews: false }),
    });
  return (
    <Button
      variant="default"
      size="xs"
      loading={change.isPending}
      aria-label={`${name}: ${label}`}
      onClick={renews ? confirmFirst : () => change.mutate({ id, renews: true })}
    >
      {label}
    </Button>
  );
}
