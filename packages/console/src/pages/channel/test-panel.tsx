import { type Channel, logReasons, type TestResult } from '@headgate/contract';
import { Anchor, Button, CloseButton, Group, Paper, Progress, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useListCache } from '../../lib/list/list.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { formatSeconds } from './channel-facts.ts';
import { channelList, disableChannels } from './channel-queries.ts';
import styles from './test-panel.module.css';
import { groupResults, type ResultGroup } from './test-results.ts';
import type { TestRun } from './test-run.ts';

interface TestPanelProps {
  readonly run: TestRun;
}

/** Results of a test run by reason, with actions. Placed next to the list, without covering it. */
export function TestPanel({ run }: TestPanelProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const disabling = useDisabling(() => setChosen(new Set()));
  const { progress, results } = run;
  const failed = results.filter(({ reason }) => reason !== '').length;
  const ids = results.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  const isBusy = progress !== undefined || ids.length === 0;
  const choose = (some: readonly TestResult[], isChosen: boolean) => {
    const next = new Set(chosen);
    for (const { id } of some) isChosen ? next.add(id) : next.delete(id);
    setChosen(next);
  };
  const again = () => {
    setChosen(new Set());
    run.startChosen(ids);
  };
  return (
    <Paper withBorder component="section" aria-label={t('Test results')} className={styles['panel'] ?? ''}>
      <Head run={run} failed={failed} />
      <div className={styles['groups']}>
        {groupResults(results).map((group) => (
          <Results key={group.reason} group={group} chosen={chosen} onChoose={choose} />
        ))}
      </div>
      {failed > 0 && (
        <Group gap="xs" mt="xs">
          <Button size="xs" variant="default" disabled={isBusy} onClick={again}>
            {t('Test again ({count})', { count: ids.length })}
          </Button>
          <Button
            size="xs"
            variant="light"
            color="red"
            disabled={isBusy}
            loading={disabling.isPending}
            onClick={() => disabling.mutate(ids)}
          >
            {t('Disable ({count})', { count: ids.length })}
          </Button>
        </Group>
      )}
    </Paper>
  );
}

/** Counts and progress of the run. */
function Head({ run, failed }: TestPanelProps & { readonly failed: number }) {
  const { t } = useTranslation();
  const { progress, results } = run;
  return (
    <>
      <Group gap="sm" wrap="nowrap" align="center">
        <Title order={2} size="h5">
          {t('Test results')}
        </Title>
        <Text size="sm" c="dimmed" role="status" className={styles['sum'] ?? ''}>
          {progress
            ? t('{done} of {total} tested, {failed} failed', { done: results.length, total: progress.total, failed })
            : t('{done} tested, {failed} failed', { done: results.length, failed })}
        </Text>
        <CloseButton aria-label={t('Close test results')} onClick={() => run.show(false)} />
      </Group>
      {progress && progress.total > 0 && (
        <Progress value={(100 * progress.done) / progress.total} size="sm" my="xs" aria-label={t('Test progress')} />
      )}
    </>
  );
}

interface ResultsProps {
  readonly group: ResultGroup;
  readonly chosen: ReadonlySet<number>;
  readonly onChoose: (results: readonly TestResult[], isChosen: boolean) => void;
}

function Results({ group: { reason, results }, chosen, onChoose }: ResultsProps) {
  const { t, label } = useTranslation();
  const count = results.filter(({ id }) => chosen.has(id)).length;
  const name = reason === '' ? t('Passed') : label(logReasons[reason].label);
  const rows = (
    <ul className={styles['rows']}>
      {results.map((result) => (
        <Result key={result.id} result={result} isChosen={chosen.has(result.id)} onChoose={onChoose} />
      ))}
    </ul>
  );
  if (reason === '') {
    return (
      <details>
        <summary className={styles['head']}>{`${name} · ${results.length}`}</summary>
        {rows}
      </details>
    );
  }
  return (
    <div>
      <label className={styles['head']}>
        <input
          type="checkbox"
          checked={count === results.length}
          ref={(box) => {
            if (box) box.indeterminate = count > 0 && count < results.length;
          }}
          onChange={(event) => onChoose(results, event.currentTarget.checked)}
        />
        {`${name} · ${results.length}`}
      </label>
      {rows}
    </div>
  );
}

interface ResultProps {
  readonly result: TestResult;
  readonly isChosen: boolean;
  readonly onChoose: ResultsProps['onChoose'];
}

function Result({ result, isChosen, onChoose }: ResultProps) {
  const { t } = useTranslation();
  const { id, name, model, ms, reason, message, status, became } = result;
  const shown = name || `#${id}`;
  const text = status > 0 ? `${status} ${message}` : message;
  return (
    <li className={styles['row']}>
      {reason !== '' && (
        <input
          type="checkbox"
          aria-label={t('Select result of {name}', { name: shown })}
          checked={isChosen}
          onChange={(event) => onChoose([result], event.currentTarget.checked)}
        />
      )}
      <Anchor component={Link} to={`/channel/edit/${id}`} size="sm" className={styles['name'] ?? ''}>
        {shown}
      </Anchor>
      <span className={styles['words']} title={text} data-failed={reason !== '' || undefined}>
        {reason === '' ? formatSeconds(ms / 1000) : text}
      </span>
      <span className={styles['model']}>{model}</span>
      {became !== '' && <span className={styles['became']}>{t(became === 'disabled' ? 'disabled' : 'enabled')}</span>}
    </li>
  );
}

function useDisabling(onDone: () => void) {
  const { t } = useTranslation();
  const cache = useListCache<Channel>(channelList);
  return useMutation({
    mutationFn: disableChannels,
    onSuccess: ({ changed }) => {
      onDone();
      showMessage('success', t('{count} channels disabled', { count: changed }));
    },
    onSettled: cache.refresh,
  });
}
