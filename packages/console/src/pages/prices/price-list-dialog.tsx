import {
  type PriceListFormat,
  type PriceProposal,
  type PriceProposalKind,
  priceListFormats,
  proposePrices,
  readPriceList,
} from '@headgate/contract';
import {
  Alert,
  Button,
  Checkbox,
  FileButton,
  Group,
  Modal,
  ScrollArea,
  Stack,
  Switch,
  Table,
  Text,
  TextInput,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Translation, useTranslation } from '../../i18n/translate.ts';
import { formatPrice as priceText } from '../../lib/format/format.ts';
import { useManaged } from '../../lib/page/managed.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { comparePrices, readAllPrices, savePrices } from './price-queries.ts';
import styles from './prices.module.css';

interface Comparison {
  readonly format: PriceListFormat;
  /** URL or file name. */
  readonly from: string;
  readonly proposals: readonly PriceProposal[];
}

interface PriceListDialogProps {
  /** Called after the closing animation. */
  readonly onClosed: () => void;
  readonly onSaved: () => void;
}

const kinds: Readonly<Record<PriceProposalKind, { readonly label: string; readonly color: string }>> = {
  new: { label: 'New', color: 'blue' },
  rise: { label: 'Increase', color: 'red' },
  fall: { label: 'Decrease', color: 'green' },
  from_zero: { label: 'No longer free', color: 'red' },
  to_zero: { label: 'Becomes free', color: 'orange' },
  unit: { label: 'Different unit', color: 'gray' },
  ambiguous: { label: 'Several prices', color: 'gray' },
};

/** Preselects the changes that are usually correct. */
const isUsual = ({ kind, channels }: PriceProposal) => channels > 0 && ['new', 'rise', 'fall'].includes(kind);

/** Compares prices with a published list, and saves the selected ones. */
export function PriceListDialog({ onClosed, onSaved }: PriceListDialogProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(true);
  const [url, setUrl] = useState('');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [showsAll, setShowsAll] = useState(false);
  const isManaged = useManaged('model');
  const compare = useComparison((proposals) =>
    setSelected(new Set(proposals.filter(isUsual).map(({ model }) => model))),
  );
  const { data } = compare;
  const possible = (data?.proposals ?? []).filter(({ model }) => !isManaged(model));
  const shown = possible.filter(({ channels }) => showsAll || channels > 0);
  const chosen = shown.filter(({ model, after }) => after && selected.has(model));
  const save = useSave(chosen, () => {
    onSaved();
    setOpen(false);
  });
  const toggle = (model: string) => setSelected((before) => withToggled(before, model));
  return (
    <Modal
      opened={isOpen}
      onClose={() => setOpen(false)}
      onExitTransitionEnd={onClosed}
      title={t('Update from a price list')}
      size="xl"
    >
      <Stack gap="sm">
        <ListSource url={url} onUrl={setUrl} isReading={compare.isPending} onRead={compare.mutate} />
        {compare.error && (
          <Alert color="red" role="alert">
            {compare.error.message}
          </Alert>
        )}
        {data && <ComparedList comparison={data} showsAll={showsAll} onShowAll={setShowsAll} />}
        {data && shown.length === 0 && <Text c="dimmed">{t('All prices match the list.')}</Text>}
        {shown.length > 0 && <Proposals proposals={shown} selected={selected} onToggle={toggle} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => setOpen(false)}>
            {t('Cancel')}
          </Button>
          <Button
            disabled={!data || chosen.length === 0}
            loading={save.isPending}
            onClick={() => data && save.mutate(data.format)}
          >
            {chosen.length === 0 ? t('Save prices') : t('Save {count} prices', { count: chosen.length })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface ComparedListProps {
  readonly comparison: Comparison;
  readonly showsAll: boolean;
  readonly onShowAll: (showsAll: boolean) => void;
}

function ComparedList({ comparison: { format, from }, showsAll, onShowAll }: ComparedListProps) {
  const { t, label } = useTranslation();
  return (
    <Group justify="space-between" gap="sm">
      <Text c="dimmed" size="sm">
        {label(priceListFormats[format].label)}: {from}
      </Text>
      <Switch
        label={t('Include models without a channel')}
        checked={showsAll}
        onChange={(event) => onShowAll(event.currentTarget.checked)}
      />
    </Group>
  );
}

function withToggled(models: ReadonlySet<string>, model: string): ReadonlySet<string> {
  const after = new Set(models);
  if (!after.delete(model)) after.add(model);
  return after;
}

function useSave(chosen: readonly PriceProposal[], onSaved: () => void) {
  const { t } = useTranslation();
  return useMutation({
    mutationFn: (format: PriceListFormat) =>
      savePrices(
        chosen.flatMap(({ model, after }) => (after ? [{ model, price: after }] : [])),
        format,
      ),
    onSuccess: () => {
      showMessage('success', t('Prices saved'));
      onSaved();
    },
  });
}

/** Compares with the list at a URL (empty: the one in the settings) or in a file. */
function useComparison(onCompared: (proposals: readonly PriceProposal[]) => void) {
  const { t } = useTranslation();
  return useMutation({
    mutationFn: async (source: string | File): Promise<Comparison> => {
      if (typeof source !== 'string') return compareFile(source, t);
      const { url: from, ...comparison } = await comparePrices(source);
      return { ...comparison, from };
    },
    onSuccess: ({ proposals }) => onCompared(proposals),
    meta: { reportedByCaller: true },
  });
}

async function compareFile(file: File, t: Translation['t']): Promise<Comparison> {
  const [text, current] = await Promise.all([file.text(), readAllPrices()]);
  const list = readPriceList(parsed(text));
  if (!list) throw new Error(t('The file is not a known price list.'));
  return { format: list.format, from: file.name, proposals: proposePrices(list, current) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

interface ListSourceProps {
  readonly url: string;
  readonly onUrl: (url: string) => void;
  readonly isReading: boolean;
  readonly onRead: (source: string | File) => void;
}

function ListSource({ url, onUrl, isReading, onRead }: ListSourceProps) {
  const { t } = useTranslation();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onRead(url.trim());
      }}
    >
      <Group align="flex-end" gap="sm">
        <TextInput
          flex="1 1 16rem"
          label={t('Price list URL')}
          description={t(
            "models.dev, LiteLLM's price map, or /api/pricing of another gateway. Empty: the list in the settings.",
          )}
          value={url}
          onChange={(event) => onUrl(event.currentTarget.value)}
          data-autofocus
        />
        <Button type="submit" variant="default" loading={isReading}>
          {t('Compare')}
        </Button>
        <FileButton accept="application/json,.json" onChange={(file) => file && onRead(file)}>
          {(props) => (
            <Button {...props} variant="default">
              {t('Choose file')}
            </Button>
          )}
        </FileButton>
      </Group>
    </form>
  );
}

interface ProposalsProps {
  readonly proposals: readonly PriceProposal[];
  readonly selected: ReadonlySet<string>;
  readonly onToggle: (model: string) => void;
}

function Proposals({ proposals, selected, onToggle }: ProposalsProps) {
  const { t } = useTranslation();
  return (
    <ScrollArea.Autosize mah="45vh" type="auto" viewportProps={{ tabIndex: 0, 'aria-label': t('Pending changes') }}>
      <Table fz="sm" stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Model')}</Table.Th>
            <Table.Th>{t('Price change')}</Table.Th>
            <Table.Th className={styles['number'] ?? ''}>{t('Input')}</Table.Th>
            <Table.Th className={styles['number'] ?? ''}>{t('Output')}</Table.Th>
            <Table.Th className={styles['number'] ?? ''}>{t('Cached input')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {proposals.map((proposal) => (
            <ProposalRow
              key={proposal.model}
              proposal={proposal}
              isSelected={selected.has(proposal.model)}
              onToggle={() => onToggle(proposal.model)}
            />
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}

interface ProposalRowProps {
  readonly proposal: PriceProposal;
  readonly isSelected: boolean;
  readonly onToggle: () => void;
}

function ProposalRow({ proposal, isSelected, onToggle }: ProposalRowProps) {
  const { label } = useTranslation();
  const { model, kind, provider, percent, before, after } = proposal;
  const cell = (part: 'input' | 'output' | 'cached') => {
    const [old, now] = [before?.[part], after?.[part]];
    if (now === undefined || now === old) return old === undefined ? '' : priceText(old);
    return old === undefined ? priceText(now) : `${priceText(old)} → ${priceText(now)}`;
  };
  return (
    <Table.Tr>
      <Table.Td className={styles['model'] ?? ''}>
        <Checkbox
          label={model}
          description={provider}
          disabled={!after}
          checked={isSelected && after !== null}
          onChange={onToggle}
        />
      </Table.Td>
      <Table.Td>
        <Text c={kinds[kind].color} size="sm" inherit>
          {label(kinds[kind].label)}
          {percent !== null && ` ${percent > 0 ? '+' : ''}${Math.round(percent)}%`}
        </Text>
      </Table.Td>
      <Table.Td className={styles['number'] ?? ''}>{cell('input')}</Table.Td>
      <Table.Td className={styles['number'] ?? ''}>{cell('output')}</Table.Td>
      <Table.Td className={styles['number'] ?? ''}>{cell('cached')}</Table.Td>
    </Table.Tr>
  );
}
