import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import bulkStyles from '../../../ui/bulk/bulk.module.css';
import { formatSeconds } from '../channel-facts.ts';
import { type NamedChannel, readSelectedChannels, type SelectedChannels, testChannel } from '../channel-queries.ts';

interface ChannelTestsDialogProps {
  readonly chosen: SelectedChannels;
  readonly onChanged: () => void;
  readonly onClosed: () => void;
}

interface Result extends NamedChannel {
  /** Undefined if the test failed. */
  readonly seconds?: number;
  readonly failure?: string;
}

const concurrency = 4;

/** Tests the selected channels a few at a time, with the result of each. Closing it stops the tests. */
export function ChannelTestsDialog({ chosen, onChanged, onClosed }: ChannelTestsDialogProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(true);
  const [{ total, results }, setState] = useState<{ total: number; results: readonly Result[] }>({
    total: 0,
    results: [],
  });
  useEffect(() => {
    const stop = new AbortController();
    void runTests(chosen, stop.signal, {
      onTotal: (count) => setState({ total: count, results: [] }),
      onResult: (result) => setState((before) => ({ ...before, results: [...before.results, result] })),
    });
    return () => stop.abort();
  }, [chosen]);
  const failed = results.filter(({ failure }) => failure !== undefined);
  const shown = [...failed, ...results.filter(({ failure }) => failure === undefined)];
  const close = () => {
    setOpen(false);
    onChanged();
  };
  return (
    <Modal opened={isOpen} onClose={close} onExitTransitionEnd={onClosed} title={t('Test')} size="lg">
      <Stack gap="sm">
        <Progress value={total === 0 ? 0 : (100 * results.length) / total} aria-label={t('Progress')} />
        <Text size="sm" role="status">
          {t('Tested {done} of {total}', { done: results.length, total })}
          {failed.length > 0 && ` · ${t('{count} failed', { count: failed.length })}`}
        </Text>
        <ul className={bulkStyles['rows']} aria-label={t('Results by row')}>
          {shown.map(({ id, name, seconds, failure }) => (
            <li key={id}>
              <span className={bulkStyles['name']}>{name || `#${id}`}</span>
              {failure === undefined ? (
                formatSeconds(seconds ?? 0)
              ) : (
                <span className={bulkStyles['failure']}>{failure}</span>
              )}
            </li>
          ))}
        </ul>
        <Group justify="flex-end">
          <Button variant={results.length < total ? 'default' : 'filled'} onClick={close}>
            {results.length < total ? t('Stop') : t('Done')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface TestListeners {
  readonly onTotal: (count: number) => void;
  readonly onResult: (result: Result) => void;
}

async function runTests(
  chosen: SelectedChannels,
  stop: AbortSignal,
  { onTotal, onResult }: TestListeners,
): Promise<void> {
  const channels = await readSelectedChannels(chosen, stop);
  onTotal(channels.length);
  const waiting = [...channels];
  const worker = async () => {
    for (let next = waiting.shift(); next && !stop.aborted; next = waiting.shift()) {
      const result = await testOne(next);
      if (!stop.aborted) onResult(result);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

async function testOne(channel: NamedChannel): Promise<Result> {
  try {
    return { ...channel, seconds: (await testChannel(channel.id, '')).seconds };
  } catch (error) {
    return { ...channel, failure: error instanceof Error ? error.message : String(error) };
  }
}
