import { Button, Paper, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useWords } from '../../../i18n/translate.ts';
import { askFirst } from '../../../ui/confirm.tsx';
import { copyAndTell } from '../../../ui/copy-and-tell.ts';
import { useProof } from '../../../ui/proof.tsx';
import { makeAccessToken } from './personal-queries.ts';

/** Token of the management API; shown once, when created. */
export function AccessToken() {
  const { t } = useWords();
  const make = useMutation({
    mutationFn: makeAccessToken,
    onSuccess: (token) => copyAndTell(token, undefined, t('Token reset and copied to clipboard')),
  });
  const proof = useProof();
  const ask = () =>
    askFirst({
      title: t('Generate a new system access token?'),
      text: t('The previous token, if any, stops working immediately.'),
      confirm: t('Generate'),
      onConfirm: () => proof.first(() => make.mutate()),
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
