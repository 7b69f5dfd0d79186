import { parseTag, splitCommas, type Token, tokenDialects, tokenEndpoints, tokenNoteLength } from '@headgate/contract';
import { Alert, MultiSelect, Stack, TagsInput, Textarea } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { selfQuery } from '../../lib/account/self-query.ts';
import type { TokenForm } from './token-form.ts';
import styles from './token-scope.module.css';

interface TokenScopeFieldsProps {
  readonly form: UseFormReturnType<TokenForm>;
  readonly token: Token | undefined;
}

/** Rarely used restrictions; collapsed unless one is set. */
export function TokenScopeFields({ form, token }: TokenScopeFieldsProps) {
  const { t, label } = useTranslation();
  const { groups, dialects, endpoints, patterns, tags } = form.values;
  const own = splitCommas(useQuery(selfQuery).data?.group ?? '');
  const isSet = [groups, dialects, endpoints, patterns, tags].some((list) => list.length > 0);
  const set = (name: 'groups' | 'dialects' | 'endpoints' | 'patterns' | 'tags') => (value: string[]) =>
    form.setFieldValue(name, value);
  const chosenFrom = (table: Readonly<Record<string, { readonly label: string }>>, name: 'dialects' | 'endpoints') => ({
    searchable: true,
    data: Object.entries(table).map(([value, row]) => ({ value, label: label(row.label) })),
    value: [...form.values[name]],
    onChange: set(name),
  });
  return (
    <>
      <Textarea
        label={t('Note')}
        description={t('What the token is for.')}
        autosize
        minRows={1}
        maxRows={6}
        maxLength={tokenNoteLength.max}
        {...form.getInputProps('note')}
      />
      <details className={styles['more']} open={isSet || undefined}>
        <summary>{t('More limits')}</summary>
        <Stack gap="md" pt="md">
          {token?.is_bound && <Alert color="blue">{t('An admin restricted this token to some channels')}</Alert>}
          <TagsInput
            label={t('Model patterns')}
            description={t('For example gpt-5*, where * matches any characters.')}
            value={[...patterns]}
            onChange={set('patterns')}
          />
          {(own.length > 1 || groups.length > 0) && (
            <MultiSelect
              label={t('Groups')}
              description={t('Leave empty to use all your groups.')}
              searchable
              data={[...new Set([...own, ...groups])]}
              value={[...groups]}
              onChange={set('groups')}
            />
          )}
          <MultiSelect
            label={t('API formats')}
            description={t('API formats that clients may use. Leave empty to allow all.')}
            {...chosenFrom(tokenDialects, 'dialects')}
          />
          <MultiSelect
            label={t('Endpoints')}
            description={t('Leave empty to allow all.')}
            {...chosenFrom(tokenEndpoints, 'endpoints')}
          />
          <TagsInput
            label={t('Fixed tags')}
            description={t('Recorded with every request, for example team=search. Clients cannot change them.')}
            value={[...tags]}
            error={tags.some((tag) => !parseTag(tag)) && t('Enter tags as key=value')}
            onChange={set('tags')}
          />
        </Stack>
      </details>
    </>
  );
}
