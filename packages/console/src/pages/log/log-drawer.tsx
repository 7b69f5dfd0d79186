import { type Log, logTypes, type StoredPayloads } from '@headgate/contract';
import { ActionIcon, Button, Drawer, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconFlask, IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatTime } from '../../lib/format/format.ts';
import { query } from '../../lib/page/address.ts';
import { useIsPhone } from '../../lib/page/phone.ts';
import { type PlaygroundDraft, setPlaygroundDraft } from '../../lib/page/playground-draft.ts';
import { useServerAddress } from '../../lib/page/status.ts';
import { copyWithMessage } from '../../ui/copy-with-message.ts';
import { LoadFailed } from '../../ui/load-failed.tsx';
import { Dot } from '../../ui/status-dot.tsx';
import { curlCommand } from './curl-command.ts';
import { readDetail } from './log-detail.ts';
import styles from './log-drawer.module.css';
import { entryQuery } from './log-queries.ts';
import { LogReceipt } from './log-receipt.tsx';
import { logColor } from './log-state.ts';
import { requestDraft } from './request-draft.ts';

const LogPayloads = lazy(async () => ({ default: (await import('./log-payloads.tsx')).LogPayloads }));

interface LogDrawerProps {
  /** Key of the open log. */
  readonly opened: string;
  readonly rows: readonly Log[];
  readonly keyOf: (log: Log) => string;
  readonly isAdmin: boolean;
  readonly onOpen: (key: string) => void;
  readonly onClose: () => void;
}

/** All details of one log. Arrow keys, `j` and `k` step through the rows of the list. */
export function LogDrawer({ opened, rows, keyOf, isAdmin, onOpen, onClose }: LogDrawerProps) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const [reading, setReading] = useState<'show' | 'replay'>();
  const isReading = reading !== undefined;
  const at = rows.findIndex((log) => keyOf(log) === opened || log.request_id === opened);
  const entry = useQuery({ ...entryQuery(opened, isAdmin), enabled: at < 0 });
  const log = rows[at] ?? entry.data;
  const other = (step: number) => (at < 0 ? undefined : rows[at + step]);
  const walk = (step: number) => {
    const next = other(step);
    if (next) onOpen(keyOf(next));
  };
  const replay = useReplay();
  useWalkingKeys(walk, !isReading);
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={isPhone ? '100%' : 560}
      returnFocus={false}
      closeOnEscape={!isReading}
      padding="md"
      title={<Heading log={log} />}
      closeButtonProps={{ 'aria-label': t('Close') }}
      transitionProps={{ duration: 120 }}
    >
      {log ? (
        <Stack gap="md">
          <Toolbar log={log} other={other} walk={walk} onReplay={() => setReading('replay')} />
          <LogReceipt log={log} isAdmin={isAdmin} onShowPayloads={() => setReading('show')} />
        </Stack>
      ) : entry.error ? (
        <LoadFailed title={t('The log could not be loaded')} error={entry.error} onRetry={() => void entry.refetch()} />
      ) : (
        <Skeleton height={240} />
      )}
      {isReading && log && (
        <Suspense>
          <LogPayloads
            log={log}
            isAdmin={isAdmin}
            onRead={reading === 'replay' ? (payloads) => replay(log, payloads) : undefined}
            onClose={() => setReading(undefined)}
          />
        </Suspense>
      )}
    </Drawer>
  );
}

interface ToolbarProps {
  readonly log: Log;
  /** The log at this offset in the list, if any. */
  readonly other: (step: number) => Log | undefined;
  readonly walk: (step: number) => void;
  readonly onReplay: () => void;
}

function Toolbar({ log, other, walk, onReplay }: ToolbarProps) {
  const { t } = useTranslation();
  return (
    <Group gap="xs" className={styles['actions'] ?? ''}>
      <RequestActions log={log} onReplay={onReplay} />
      <Group gap={4} ml="auto" wrap="nowrap">
        <Walk label={t('Newer log (K)')} isEnabled={other(-1) !== undefined} onClick={() => walk(-1)}>
          <IconChevronUp size={18} aria-hidden />
        </Walk>
        <Walk label={t('Older log (J)')} isEnabled={other(1) !== undefined} onClick={() => walk(1)}>
          <IconChevronDown size={18} aria-hidden />
        </Walk>
      </Group>
    </Group>
  );
}

function Heading({ log }: { readonly log: Log | undefined }) {
  const { t, label } = useTranslation();
  if (!log) return t('Request details');
  const type = logTypes[log.type];
  return (
    <>
      <Text component="span" fw={600} className={styles['heading'] ?? ''}>
        {log.model_name || (type ? label(type.label) : t('Request details'))}
      </Text>
      <Group gap="sm" c="dimmed" fz="sm">
        <Dot color={logColor(log)} text={type ? label(type.label) : t('Unknown')} />
        <time dateTime={new Date(log.created_at * 1000).toISOString()}>{formatTime(log.created_at)}</time>
      </Group>
    </>
  );
}

/** Opens the playground with the model of a request, and its message if it is stored. */
function useReplay() {
  const navigate = useNavigate();
  return (log: Log, payloads: StoredPayloads | undefined) => {
    const isWhole = payloads?.request.is_text && !payloads.request.is_cut;
    setPlaygroundDraft((isWhole && requestDraft(payloads.request.text)) || emptyDraft);
    const model = readDetail(log).asked_model || log.model_name;
    void navigate({ to: '/playground', search: query({ model }) });
  };
}

const emptyDraft: PlaygroundDraft = { question: '', system: '', temperature: '', topP: '', maxTokens: '' };

interface RequestActionsProps {
  readonly log: Log;
  /** Reads the stored payload and opens the playground with it. */
  readonly onReplay: () => void;
}

function RequestActions({ log, onReplay }: RequestActionsProps) {
  const { t } = useTranslation();
  const server = useServerAddress();
  const replay = useReplay();
  if (log.model_name === '') return null;
  const detail = readDetail(log);
  const isStored = (detail.bodies_until ?? 0) * 1000 > Date.now();
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconFlask size={14} aria-hidden />}
        onClick={() => (isStored ? onReplay() : replay(log, undefined))}
      >
        {t('Try again in the playground')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconTerminal2 size={14} aria-hidden />}
        onClick={() => void copyWithMessage(curlCommand(log, detail, server))}
      >
        {t('Copy as curl')}
      </Button>
    </>
  );
}

interface WalkProps {
  readonly label: string;
  readonly isEnabled: boolean;
  readonly onClick: () => void;
  readonly children: React.ReactNode;
}

function Walk({ label, isEnabled, onClick, children }: WalkProps) {
  return (
    <ActionIcon variant="default" aria-label={label} title={label} disabled={!isEnabled} onClick={onClick}>
      {children}
    </ActionIcon>
  );
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

function useWalkingKeys(walk: (step: number) => void, isEnabled: boolean): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const step = steps[event.key];
      const isTyping = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
      if (step === undefined || !isEnabled || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      walk(step);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [walk, isEnabled]);
}
