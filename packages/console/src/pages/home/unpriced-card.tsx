import { Anchor, Card, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { query } from '../../lib/page/address.ts';
import { Dot } from '../../ui/status-dot.tsx';
import styles from './home.module.css';
import { unpricedQuery } from './home-queries.ts';

const named = 5;

/** Models that are offered without a price: requests are rejected or charged the default price. */
export function UnpricedCard() {
  const { t } = useTranslation();
  const { data: models = [] } = useQuery(unpricedQuery);
  if (models.length === 0) return null;
  const more = models.length - named;
  return (
    <Card withBorder padding="md">
      <div className={styles['head']}>
        <Title order={2}>{t('Models without a price')}</Title>
        <Anchor component={Link} to="/prices" search={query({ status: '1' })}>
          <Dot color="red" text={t('{count} without a price', { count: models.length })} />
        </Anchor>
      </div>
      <ul className={styles['troubled']}>
        {models.slice(0, named).map(({ model, channels }) => (
          <li key={model}>
            <Anchor
              component={Link}
              to="/prices"
              search={query({ status: '1', keyword: model })}
              className={styles['who'] ?? ''}
            >
              {model}
            </Anchor>
            <Text span size="sm" c="dimmed">
              {channels === 1 ? t('on 1 channel') : t('on {count} channels', { count: channels })}
            </Text>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Text size="sm" c="dimmed">
          {t('and {count} more', { count: more })}
        </Text>
      )}
    </Card>
  );
}
