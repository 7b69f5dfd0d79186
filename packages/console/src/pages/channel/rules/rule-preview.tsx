import { channelPreviewApi, type PreviewEndpoint, previewEndpoints } from '@headgate/contract';
import { Autocomplete, Button, Group, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { useIsPhone } from '../../../lib/page/phone.ts';
import { JsonInput } from '../../../ui/form/json-input.tsx';
import { type DiffLine, lineDiff } from './line-diff.ts';
import styles from './rules.module.css';

interface RulePreviewProps {
  readonly id: number;
  readonly models: readonly string[];
  /** Unsaved rules. */
  readonly rules: string;
  readonly onClosed: () => void;
}

interface Sample {
  readonly endpoint: PreviewEndpoint;
  readonly model: string;
  readonly body: string;
}

/** Shows what the rules change in a sample request. Nothing is sent to the provider. */
export function RulePreview({ id, models, rules, onClosed }: RulePreviewProps) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(true);
  const [sample, setSample] = useState<Sample>({ endpoint: 'chat', model: models[0] ?? '', body: '' });
  const preview = useMutation({ mutationFn: () => compare(id, sample, rules), meta: { quiet: true } });
  const change = (part: Partial<Sample>) => setSample((before) => ({ ...before, ...part }));
  return (
    <Modal
      opened={isOpen}
      onClose={() => setOpen(false)}
      onExitTransitionEnd={onClosed}
      title={t('Preview of the upstream request')}
      size="xl"
      fullScreen={isPhone}
    >
      <Stack gap="md">
        <Group grow align="start" preventGrowOverflow={false}>
          <NativeSelect
            label={t('Endpoint')}
            data={[...previewEndpoints]}
            value={sample.endpoint}
            onChange={({ currentTarget }) => change({ endpoint: currentTarget.value as PreviewEndpoint })}
          />
          <Autocomplete
            label={t('Model')}
            data={[...models]}
            value={sample.model}
            onChange={(model) => change({ model })}
          />
        </Group>
        <JsonInput
          label={t('Client request')}
          description={t('Request body as JSON. Leave empty for a short chat.')}
          minRows={3}
          value={sample.body}
          onChange={(body) => change({ body })}
        />
        <Group justify="flex-end">
          <Button loading={preview.isPending} onClick={() => preview.mutate()}>
            {t('Preview')}
          </Button>
        </Group>
        {preview.error && (
          <Text role="alert" c="red" size="sm">
            {preview.error.message}
          </Text>
        )}
        {preview.data && <Comparison {...preview.data} />}
      </Stack>
    </Modal>
  );
}

interface ComparisonProps {
  readonly lines: readonly DiffLine[];
  readonly names: readonly string[];
}

function Comparison({ lines, names }: ComparisonProps) {
  const { t, language } = useTranslation();
  const marks = { same: ' ', added: '+', removed: '-' } as const;
  const lineLabels = { same: '', added: t('Added:'), removed: t('Removed:') } as const;
  const isSame = lines.every(({ kind }) => kind === 'same');
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {names.length === 0
          ? t('No rule applies to this request.')
          : t('Applied rules: {names}', { names: new Intl.ListFormat(language).format(names) })}{' '}
        {isSame && names.length > 0 && t('The request does not change.')}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs the keyboard. */}
      <section className={styles['diff']} tabIndex={0} aria-label={t('Upstream request')}>
        {lines.map(({ kind, text }, index) => (
          <span key={String(index)} data-kind={kind}>
            {lineLabels[kind] && <span className={styles['spoken']}>{lineLabels[kind]} </span>}
            <span aria-hidden>{marks[kind]} </span>
            {text}
            {'\n'}
          </span>
        ))}
      </section>
    </Stack>
  );
}

async function compare(id: number, sample: Sample, rules: string): Promise<ComparisonProps> {
  const show = (text: string) => call(channelPreviewApi.show, { params: { id }, body: { ...sample, rules: text } });
  const [before, after] = await Promise.all([show(''), show(rules)]);
  return { lines: lineDiff(requestText(before), requestText(after)), names: after.rules };
}

interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function requestText({ method, url, headers, body }: ShownRequest): string {
  const head = Object.entries(headers)
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
    .sort();
  return [`${method} ${url}`, ...head, '', prettyJson(body)].join('\n');
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
