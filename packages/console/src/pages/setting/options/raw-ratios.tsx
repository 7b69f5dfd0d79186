import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import styles from '../setting.module.css';

interface RawRatiosProps {
  /** True if one of them has unsaved changes or was searched for. */
  readonly isOpen: boolean;
  readonly children: ReactNode;
}

/** Raw ratios behind a disclosure. Prices in dollars are on their own page. */
export function RawRatios({ isOpen, children }: RawRatiosProps) {
  const { t } = useTranslation();
  return (
    <div>
      <Text size="sm" mb="sm">
        <Anchor component={Link} to="/prices" inherit>
          {t('Set prices in dollars on the Prices page')}
        </Anchor>
      </Text>
      <details className={styles['advanced']} open={isOpen}>
        <summary>{t('Advanced: ratios as JSON')}</summary>
        <Stack gap="md" mt="md">
          {children}
        </Stack>
      </details>
    </div>
  );
}
