import {
  isAdmin,
  isServiceTier,
  type PriceInDollars,
  type PricePart,
  partsOfUnit,
  priceBases,
  priceUnits,
  type ServingChannel,
  servingStates,
} from '@headgate/contract';
import { Anchor, Button, Drawer, Skeleton, Stack, Text } from '@mantine/core';
import { IconCopy, IconFlask, IconPencil, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../../i18n/translate.ts';
import { useUser } from '../../../lib/account/session.ts';
import { formatNumber, formatPrice } from '../../../lib/format/format.ts';
import { query } from '../../../lib/page/address.ts';
import { useIsPhone } from '../../../lib/page/phone.ts';
import { copyWithMessage } from '../../../ui/copy-with-message.ts';
import { ProviderTile } from '../../../ui/provider-mark/provider-tile.tsx';
import { Dot } from '../../../ui/status-dot.tsx';
import { ClientSetup } from '../../../ui/use-with/use-with.tsx';
import { pricePartLabels } from '../price-labels.ts';
import { CapabilityList } from './capability-icons.tsx';
import styles from './catalog.module.css';
import { Availability, typeOf } from './model-catalog-columns.tsx';
import type { CatalogRow } from './model-catalog-rows.ts';

interface ModelDrawerProps {
  /** Name in the URL. */
  readonly opened: string;
  /** Undefined while loading, or if the catalog does not contain the model. */
  readonly row: CatalogRow | undefined;
  readonly isLoading: boolean;
  readonly onAdd: (row: CatalogRow) => void;
  readonly onClose: () => void;
}

/** All details of one model. */
export function ModelDrawer({ opened, row, isLoading, onAdd, onClose }: ModelDrawerProps) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={isPhone ? '100%' : 560}
      padding="md"
      title={<Heading opened={opened} row={row} />}
      closeButtonProps={{ 'aria-label': t('Close') }}
      transitionProps={{ duration: 120 }}
    >
      {row ? (
        <Stack gap="lg">
          <ModelActions row={row} onAdd={() => onAdd(row)} />
          <Facts row={row} />
          <Prices row={row} />
          {row.channels && <Channels channels={row.channels} count={row.channel_count ?? 0} />}
          {row.availability !== 'not_offered' && (
            <Section title={t('Code')}>
              <ClientSetup models={[row.model]} client="curl" />
            </Section>
          )}
        </Stack>
      ) : isLoading ? (
        <Skeleton height={240} />
      ) : (
        <Text c="dimmed">{t('The catalog does not contain this model.')}</Text>
      )}
    </Drawer>
  );
}

function Heading({ opened, row }: Pick<ModelDrawerProps, 'opened' | 'row'>) {
  return (
    <span className={styles['heading']}>
      {row && <ProviderTile type={typeOf(row)} />}
      {opened}
    </span>
  );
}

function ModelActions({ row, onAdd }: { readonly row: CatalogRow; readonly onAdd: () => void }) {
  const { t } = useTranslation();
  const user = useUser();
  return (
    <div className={styles['actions']}>
      {user && row.availability !== 'not_offered' && (
        <Button
          component={Link}
          to="/playground"
          search={query({ model: row.model })}
          size="compact-sm"
          leftSection={<IconFlask size={14} aria-hidden />}
        >
          {t('Try')}
        </Button>
      )}
      {isAdmin(user) && (
        <>
          <Button size="compact-sm" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={onAdd}>
            {t('Add to channels')}
          </Button>
          <Button
            component={Link}
            to="/prices"
            search={query({ keyword: row.model })}
            size="compact-sm"
            variant="default"
            leftSection={<IconPencil size={14} aria-hidden />}
          >
            {t('Edit price')}
          </Button>
        </>
      )}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconCopy size={14} aria-hidden />}
        onClick={() => void copyWithMessage(row.model)}
      >
        {t('Copy model name')}
      </Button>
    </div>
  );
}

function Facts({ row }: { readonly row: CatalogRow }) {
  const { t, label } = useTranslation();
  const { provider, context_window: context, capabilities } = row;
  return (
    <dl className={styles['facts']}>
      <dt>{t('Status')}</dt>
      <dd>
        <Availability row={row} />
      </dd>
      <dt>{t('Provider')}</dt>
      <dd>{provider === '' ? '—' : label(provider)}</dd>
      <dt>{t('Context window')}</dt>
      <dd>{context === null ? '—' : t('{count} tokens', { count: formatNumber(context) })}</dd>
      <dt>{t('Capabilities')}</dt>
      <dd>
        <CapabilityList capabilities={capabilities} />
      </dd>
    </dl>
  );
}

function Prices({ row }: { readonly row: CatalogRow }) {
  const { t, label } = useTranslation();
  const unit = label(priceUnits[row.unit].label);
  const { price } = row;
  const parts = price ? partsOfUnit(row.unit).filter((part) => isOwnAmount(price, part)) : [];
  return (
    <Section title={`${t('Price')} · ${unit}`}>
      {parts.length === 0 ? (
        <Text size="sm">{t('No price')}</Text>
      ) : (
        <dl className={styles['facts']}>
          {parts.map((part) => (
            <Row
              key={part}
              name={row.unit === 'tokens' || part === 'call' ? label(pricePartLabels[part]) : t('Price')}
              value={formatPrice(price?.[part] ?? 0)}
            />
          ))}
        </dl>
      )}
    </Section>
  );
}

/** False for parts that cost the same as the part on which they are based. */
function isOwnAmount(price: PriceInDollars, part: PricePart): boolean {
  const base = priceBases[part];
  if (part === 'input' || part === 'output') return true;
  return base === null || isServiceTier(part) ? price[part] > 0 : price[part] !== price[base];
}

function Row({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

interface ChannelsProps {
  readonly channels: readonly ServingChannel[];
  readonly count: number;
}

function Channels({ channels, count }: ChannelsProps) {
  const { t, label } = useTranslation();
  if (count === 0)
    return (
      <Section title={t('Channels')}>
        <Text size="sm" c="dimmed">
          {t('No channel offers this model.')}
        </Text>
      </Section>
    );
  return (
    <Section title={`${t('Channels')} · ${formatNumber(count)}`}>
      <ul className={styles['channels']}>
        {channels.map(({ id, name, type, state, requests, failures }) => (
          <li key={id}>
            <span className={styles['name']}>
              <ProviderTile type={type} />
              <Anchor component={Link} to={`/channel/view/${id}`} inherit truncate>
                {name || `#${id}`}
              </Anchor>
            </span>
            <Dot color={servingStates[state].color} text={label(servingStates[state].label)} />
            {failures > 0 && (
              <small>{t('{failures} of {requests} recent requests failed', { failures, requests })}</small>
            )}
          </li>
        ))}
        {count > channels.length && <li>{t('and {count} more', { count: count - channels.length })}</li>}
      </ul>
    </Section>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <section className={styles['section']}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}
