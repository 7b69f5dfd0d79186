import type { LimitRule } from '@headgate/contract';
import { Text } from '@mantine/core';
import { Fragment } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { scopeParts } from '../../ui/effective-limits/limit-labels.ts';
import { SubjectLink } from '../../ui/subject/subject-link.tsx';

/** Subjects of a limit, linked by name. */
export function LimitScope({ rule }: { readonly rule: LimitRule }) {
  const { t } = useTranslation();
  return (
    <Text span fw={500} inherit>
      {scopeParts(t, rule).map(({ text, to, isDeleted }, index) => (
        <Fragment key={text}>
          {index > 0 && ' · '}
          {to ? <SubjectLink {...to} text={text} isDeleted={isDeleted} /> : text}
        </Fragment>
      ))}
    </Text>
  );
}
