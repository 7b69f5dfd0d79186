import { dollars, type ExportFileFormat } from './export-format.ts';
import { exportLanguage } from './export-labels.ts';
import { localTimeFormatter } from './local-time.ts';

interface Labelled {
  readonly label: string;
}

/** Formats values that occur in many lists. */
export function listCells({ language, timeZone, quotaPerUnit }: ExportFileFormat) {
  const { say, label } = exportLanguage(language);
  const write = localTimeFormatter(timeZone);
  return {
    say,
    /** Empty for 0, which means never. */
    time: (seconds: number) => (seconds > 0 ? write(seconds) : ''),
    dollars: (quota: number) => dollars(quota, quotaPerUnit),
    /** Label of a number from one of the contract's tables. */
    named: (table: Readonly<Record<number, Labelled>>, value: number) => label(table[value]?.label ?? 'Unknown'),
    reason: (table: Readonly<Record<string, Labelled>>, value: string) =>
      value === '' ? '' : label(table[value]?.label ?? value),
  };
}
