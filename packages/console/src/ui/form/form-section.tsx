import { Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import styles from './form-section.module.css';

interface FormSectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** Group of related fields in a long form. */
export function FormSection({ title, children }: FormSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles['section']}>
      <Title order={2} size="h3" id={id}>
        {title}
      </Title>
      <Stack gap="md" className={styles['fields'] ?? ''}>
        {children}
      </Stack>
    </section>
  );
}
