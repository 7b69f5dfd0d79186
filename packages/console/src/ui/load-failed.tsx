import { Alert, Button, Stack, Text } from '@mantine/core';
import { useTranslation } from '../i18n/translate.ts';

interface LoadFailedProps {
  readonly title: string;
  readonly error: Error | null;
  readonly onRetry: () => unknown;
  readonly maw?: number;
}

/** Error shown instead of content that could not be loaded, with a retry button. */
export function LoadFailed({ title, error, onRetry, maw }: LoadFailedProps) {
  const { t } = useTranslation();
  return (
    <Alert color="red" title={title} {...(maw !== undefined && { maw })}>
      <Stack align="flex-start" gap="sm">
        <Text style={{ overflowWrap: 'anywhere' }}>{error?.message}</Text>
        <Button size="sm" variant="default" onClick={() => void onRetry()}>
          {t('Try again')}
        </Button>
      </Stack>
    </Alert>
  );
}
