import { Alert, Button, Group, Modal, ScrollArea, Stack, Table, Text, Textarea } from '@mantine/core';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatPrice as priceText } from '../../lib/format/format.ts';
import { useManaged } from '../../lib/page/managed.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { ManagedReason } from '../../ui/managed/managed.tsx';
import { type Difference, differencesOf, parsePastedPrices } from './price-import.ts';
import { pricePartLabels } from './price-labels.ts';
import { priceList, readAllPrices, savePrices } from './price-queries.ts';
import styles from './prices.module.css';

interface PriceImportDialogProps {
  /** Called after the closing animation. */
  readonly onClosed: () => void;
  readonly onSaved: () => void;
}

const maxShown = 200;

const allPricesQuery = queryOptions({
  queryKey: [priceList, 'all'],
  queryFn: ({ signal }) => readAllPrices(signal),
  staleTime: 0,
});

/** Imports pasted prices, with a preview of the changes. */
export function PriceImportDialog({ onClosed, onSaved }: PriceImportDialogProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(true);
  const [text, setText] = useState('');
  const { odd, kept, wanted, modelCount, changes } = usePreview(text);
  const save = useMutation({
    mutationFn: () => savePrices(changes),
    onSuccess: () => {
      showMessage('success', t('Prices saved'));
      onSaved();
      setOpen(false);
    },
  });
  return (
    <Modal
      opened={isOpen}
      onClose={() => setOpen(false)}
      onExitTransitionEnd={onClosed}
      title={t('Import prices')}
      size="xl"
    >
      <Stack gap="sm">
        <Textarea
          label={t('Prices')}
          description={t(
            'One model per line with its USD prices: input, output, cached input, cache write. JSON also works.',
          )}
          placeholder="gpt-5,1.25,10,0.125"
          autosize
          minRows={4}
          maxRows={10}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
        {text.trim() !== '' && odd.length > 0 && <InvalidLines odd={odd} />}
        {kept.size > 0 && (
          <Alert color="gray" title={t('{count} prices unchanged', { count: kept.size })}>
            <ManagedReason names={[...kept]} />
          </Alert>
        )}
        {wanted.length > 0 && <Differences differences={wanted} />}
        {text.trim() !== '' && wanted.length === 0 && <Text c="dimmed">{t('No changes.')}</Text>}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => setOpen(false)}>
            {t('Cancel')}
          </Button>
          <Button disabled={modelCount === 0} loading={save.isPending} onClick={() => save.mutate()}>
            {t('Save {count} prices', { count: modelCount })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Changes that the pasted prices would make; prices managed by the configuration file are kept. */
function usePreview(text: string) {
  const { data: rows } = useQuery(allPricesQuery);
  const { changes, odd } = parsePastedPrices(text);
  const isManaged = useManaged('model');
  const differences = rows ? differencesOf(changes, rows) : [];
  const kept = new Set(differences.map(({ model }) => model).filter(isManaged));
  const wanted = differences.filter(({ model }) => !kept.has(model));
  const changed = new Set(wanted.map(({ model }) => model));
  return { odd, kept, wanted, modelCount: changed.size, changes: changes.filter(({ model }) => changed.has(model)) };
}

function InvalidLines({ odd }: Pick<ReturnType<typeof parsePastedPrices>, 'odd'>) {
  const { t } = useTranslation();
  return (
    <Alert color="orange" title={t('{count} lines without a price', { count: odd.length })}>
      {odd.slice(0, 5).map(({ line, text: message }) => (
        <Text key={`${line} ${message}`} size="sm">
          {line > 0 && `${line}: `}
          {message}
        </Text>
      ))}
    </Alert>
  );
}

function Differences({ differences }: { readonly differences: readonly Difference[] }) {
  const { t, label } = useTranslation();
  return (
    <ScrollArea.Autosize mah="40vh" type="auto" viewportProps={{ tabIndex: 0, 'aria-label': t('Pending changes') }}>
      <Table fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Model')}</Table.Th>
            <Table.Th>{t('Price')}</Table.Th>
            <Table.Th className={styles['number'] ?? ''}>{t('Before')}</Table.Th>
            <Table.Th className={styles['number'] ?? ''}>{t('After')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {differences.slice(0, maxShown).map(({ model, part, before, after }) => (
            <Table.Tr key={`${model} ${part}`}>
              <Table.Td className={styles['model'] ?? ''}>{model}</Table.Td>
              <Table.Td>{label(pricePartLabels[part])}</Table.Td>
              <Table.Td className={styles['number'] ?? ''}>
                {before === undefined ? t('No price') : priceText(before)}
              </Table.Td>
              <Table.Td className={styles['number'] ?? ''}>{priceText(after)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}
