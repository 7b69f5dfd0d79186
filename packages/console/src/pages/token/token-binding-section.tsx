import { type Token, userSupportApi } from '@headgate/contract';
import { Button, Card, Group, Text, Title } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { call } from '../../lib/api/call.ts';
import { formSectionProps } from '../../ui/form/below-form.ts';
import { bindingOf, isBound } from '../../ui/token-binding/token-binding.ts';
import { TokenBindingDialog } from '../../ui/token-binding/token-binding-dialog.tsx';
import { TokenBindingSummary } from '../../ui/token-binding/token-binding-summary.tsx';

const bindingsQuery = (userId: number) =>
  queryOptions({
    queryKey: ['user', 'tokens', userId],
    queryFn: ({ signal }) => call(userSupportApi.tokens, { params: { id: userId } }, { signal }),
    staleTime: 0,
    meta: { quiet: true },
  });

/** Channels that serve the user's own token; only for admins, who can see channels. */
export function TokenBindingSection({ token }: { readonly token: Token }) {
  const { t } = useTranslation();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(bindingsQuery(token.user_id));
  const stored = data?.find((each) => each.id === token.id);
  const binding = stored && bindingOf(stored);
  return (
    <Card withBorder {...formSectionProps} component="section" aria-labelledby={id}>
      <Group justify="space-between" wrap="nowrap">
        <div>
          <Title order={2} size="h3" id={id}>
            {t('Channels')}
          </Title>
          <Text size="sm" c="dimmed">
            {binding && isBound(binding) ? <TokenBindingSummary binding={binding} /> : t('All channels of its groups')}
          </Text>
        </div>
        <Button flex="none" size="xs" variant="default" disabled={!binding} onClick={() => setOpen(true)}>
          {t('Select channels')}
        </Button>
      </Group>
      {isOpen && binding && (
        <TokenBindingDialog userId={token.user_id} token={token} binding={binding} onClosed={() => setOpen(false)} />
      )}
    </Card>
  );
}
