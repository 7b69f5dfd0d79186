import { ActionIcon, Button, Group, Input, NativeSelect, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from '../../../i18n/translate.ts';

export interface ClaimRow {
  /** Value of the claim. */
  readonly value: string;
  /** Value of the choice to which it is mapped. */
  readonly choice: string;
}

export interface ClaimChoice {
  readonly value: string;
  readonly label: string;
}

interface ClaimRowsProps {
  readonly rows: readonly ClaimRow[];
  readonly choices: readonly ClaimChoice[];
  /** Choice of a new row; by default the first one. */
  readonly usualChoice?: string;
  readonly label: string;
  readonly description: string;
  readonly placeholder: string;
  readonly choiceLabel: (number: number) => string;
  readonly onChange: (rows: readonly ClaimRow[]) => void;
}

/** Table that maps values of a claim to choices. */
export function ClaimRows(props: ClaimRowsProps) {
  const { rows, choices, usualChoice = choices[0]?.value ?? '', placeholder, choiceLabel, onChange } = props;
  const { t } = useTranslation();
  const change = (index: number, row: Partial<ClaimRow>) =>
    onChange(rows.map((each, at) => (at === index ? { ...each, ...row } : each)));
  return (
    <Input.Wrapper labelElement="div" label={props.label} description={props.description}>
      <Stack gap="xs" my={6} align="flex-start">
        {rows.map(({ value, choice }, index) => (
          // The rows have no other identity than their place.
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are only appended and removed
          <Group key={index} gap="xs" wrap="nowrap" w="100%">
            <TextInput
              style={{ flex: 1 }}
              aria-label={t('Claim value {number}', { number: index + 1 })}
              placeholder={placeholder}
              maxLength={200}
              value={value}
              onChange={(event) => change(index, { value: event.currentTarget.value })}
            />
            <NativeSelect
              style={{ flex: 1 }}
              aria-label={choiceLabel(index + 1)}
              data={[...choices]}
              value={choice}
              onChange={(event) => change(index, { choice: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={t('Remove claim value {number}', { number: index + 1 })}
              onClick={() => onChange(rows.toSpliced(index, 1))}
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
          onClick={() => onChange([...rows, { value: '', choice: usualChoice }])}
        >
          {t('Add claim value')}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
