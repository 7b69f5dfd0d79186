import type { LimitRule } from '@headgate/contract';
import { Text } from '@mantine/core';
import { Fragment } from 'react';
import { useWords } from '../../i18n/translate.ts';
import { scopeParts } from '../../ui/held-to/limit-words.ts';
import { SubjectLink } from '../../ui/subject/subject-link.tsx';

/** Subjects of a limit, linked by name. */
export function LimitScope({ rule }: { readonly rule: LimitRule }) {
  const { t } = useWords();
  return (
    <Text span fw={500} inherit>
      {scopeParts(t, rule).map(({ words, to, isGone }, index) => (
        <Fragment key={words}>
          {index > 0 && ' · '}
          {to ? <SubjectLink {...to} words={words} isGone={isGone} /> : words}
        </Fragment>
      ))}
    </Text>
  );
}
