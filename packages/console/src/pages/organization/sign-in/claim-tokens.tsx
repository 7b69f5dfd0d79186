import { ActionIcon, Button, Group, Input, NativeSelect, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from '../../../i18n/translate.ts';

export interface ClaimToken {
  readonly value: string;
  readonly token_id: number;
}

export interface TokenChoice {
  readonly value: string;
  readonly label: string;
}

interface ClaimTokensProps {
  readonly values: readonly ClaimToken[];
  readonly choices: readonly TokenChoice[];
  readonly onChange: (values: readonly ClaimToken[]) => void;
}

/** Table that maps values of a claim to API tokens. */
export function ClaimTokens({ values, choices, onChange }: ClaimTokensProps) {
  const { t } = useTranslation();
  const change = (index: number, row: Partial<ClaimToken>) =>
    onChange(values.map((each, at) => (at === index ? { ...each, ...row } : each)));
  return (
    <Input.Wrapper
      labelElement="div"
      label={t('API tokens by claim value')}
      description={t('The first value that a JWT has applies.')}
    >
      <Stack gap="xs" my={6} align="flex-start">
        {values.map(({ value, token_id }, index) => (
          // The rows have no other identity than their place.
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are only appended and removed
          <Group key={index} gap="xs" wrap="nowrap" w="100%">
            <TextInput
              style={{ flex: 1 }}
              aria-label={t('Claim value {number}', { number: index + 1 })}
              placeholder="acme/search"
              maxLength={200}
              value={value}
              onChange={(event) => change(index, { value: event.currentTarget.value })}
            />
            <NativeSelect
              style={{ flex: 1 }}
              aria-label={t('API token for claim value {number}', { number: index + 1 })}
              data={[...choices]}
              value={String(token_id)}
              onChange={(event) => change(index, { token_id: Number(event.currentTarget.value) })}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={t('Remove claim value {number}', { number: index + 1 })}
              onClick={() => onChange(values.toSpliced(index, 1))}
            >
              <IconTrash size={16} stroke={1.6} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <Button
          size="xs"
          variant="default"
          disabled={choices.length === 0}
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...values, { value: '', token_id: Number(choices[0]?.value) }])}
        >
          {t('Add claim value')}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
