import { Button, Paper, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/translate.ts';
import { openConfirmation } from '../../../ui/confirm.tsx';
import { copyWithMessage } from '../../../ui/copy-with-message.ts';
import { useReauth } from '../../../ui/reauth.tsx';
import { createAccessToken } from './personal-queries.ts';

/** Token of the management API; shown once, when created. */
export function AccessToken() {
  const { t } = useTranslation();
  const make = useMutation({
    mutationFn: createAccessToken,
    onSuccess: (token) => copyWithMessage(token, undefined, t('Token reset and copied to clipboard')),
  });
  const proof = useReauth();
  const ask = () =>
    openConfirmation({
      title: t('Generate a new system access token?'),
      text: t('The previous token, if any, stops working immediately.'),
      confirm: t('Generate'),
      onConfirm: () => proof.run(() => make.mutate()),
    });
  return (
    <Paper withBorder p="lg" component="section">
      <Title order={2} mb={4}>
        {t('System access token')}
      </Title>
      <Text c="dimmed" mb="md">
        {t('For calls to the management API, not for model requests.')}
      </Text>
      <Button variant="default" loading={make.isPending || proof.isAsking} onClick={ask}>
        {t('Generate system access token')}
      </Button>
      {make.data && (
        <TextInput
          mt="md"
          readOnly
          label={t('Shown only once. Store it safely.')}
          value={make.data}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
      {proof.dialog}
    </Paper>
  );
}
