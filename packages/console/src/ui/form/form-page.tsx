import { Anchor, Button, Group, Paper, Skeleton, Stack, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { type Query, query } from '../../lib/page/address.ts';
import { Breadcrumb } from '../breadcrumb.tsx';
import { LoadFailed } from '../load-failed.tsx';
import { ManagedFields, ManagedNotice } from '../managed/managed.tsx';
import { useUnsavedWork } from '../unsaved-work.ts';
import styles from './form-page.module.css';

interface FormPageProps {
  readonly title: string;
  /** Name of the edited thing, for the title and the breadcrumb. */
  readonly name?: string | undefined;
  /** Absent for a read-only page. */
  readonly submitLabel?: string | undefined;
  readonly isSaving: boolean;
  /** True if there is unsaved input. */
  readonly isDirty: boolean;
  readonly onSubmit: () => void;
  /** URL of the Cancel link, including the previous list state. */
  readonly back: { readonly to: string; readonly search?: Query };
  readonly children: ReactNode;
  /** True if managed by the configuration file: the form is read-only. */
  readonly isManaged?: boolean;
  /** Log filters for the change history. */
  readonly history?: Readonly<Record<string, string | number>> | undefined;
  /** Additional buttons next to Cancel, or a separate block at the end. */
  readonly after?: ReactNode;
}

const pageStyle = { className: styles['page'] ?? '' };
const formStyle = { className: styles['form'] ?? '' };

/** Shared frame for form pages: title, fields and buttons. */
export function FormPage(props: FormPageProps) {
  const { name, isSaving, isDirty, onSubmit, back, history, children, after, isManaged = false } = props;
  const submitLabel = isManaged ? undefined : props.submitLabel;
  const { t } = useTranslation();
  const title = name ? t('Edit {name}', { name }) : props.title;
  useUnsavedWork(isDirty && submitLabel !== undefined, isSaving);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Stack gap="lg" {...pageStyle}>
      <div>
        <Breadcrumb current={name || title} />
        <Group justify="space-between" wrap="nowrap" align="baseline">
          <Title order={1} className={styles['title'] ?? ''}>
            {title}
          </Title>
          {history && (
            <Anchor component={Link} to="/log" search={query(history)} size="sm" className={styles['history'] ?? ''}>
              {t('Change history')}
            </Anchor>
          )}
        </Group>
      </div>
      <Paper withBorder p="lg" component="form" onSubmit={submit} noValidate {...formStyle}>
        <Stack gap="md">
          {isManaged && <ManagedNotice />}
          <ManagedFields isManaged={isManaged}>{children}</ManagedFields>
          <Group justify="flex-end" className={styles['buttons'] ?? ''}>
            <Button component={Link} to={back.to} search={query(back.search ?? {})} variant="default">
              {submitLabel ? t('Cancel') : t('Back')}
            </Button>
            {submitLabel && (
              <Button type="submit" loading={isSaving}>
                {submitLabel}
              </Button>
            )}
          </Group>
        </Stack>
      </Paper>
      {after}
    </Stack>
  );
}

interface FormLoadingProps {
  readonly title: string;
  readonly error: Error | null;
  readonly onRetry: () => void;
}

/** Shown while a form is loading or after an error. */
export function FormLoading({ title, error, onRetry }: FormLoadingProps) {
  const { t } = useTranslation();
  return (
    <Stack gap="lg" maw={640}>
      <div>
        <Breadcrumb current={title} />
        <Title order={1}>{title}</Title>
      </div>
      {error ? (
        <LoadFailed title={t('Could not be loaded')} error={error} onRetry={onRetry} />
      ) : (
        <Skeleton height={320} radius="md" />
      )}
    </Stack>
  );
}
