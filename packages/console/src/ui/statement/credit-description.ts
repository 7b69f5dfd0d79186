import { fillTemplate, logEvents, type StatementCredit } from '@headgate/contract';
import * as z from 'zod/mini';
import { useTranslation } from '../../i18n/translate.ts';
import { trimAmounts } from '../../lib/format/trim-amounts.ts';

const creditDetail = z.object({
  event: z.enum(Object.keys(logEvents) as (keyof typeof logEvents)[]),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
});

/** Event of a credit; undefined for top-ups by other programs and events from later versions. */
function eventOf({ detail }: StatementCredit): z.output<typeof creditDetail> | undefined {
  try {
    return creditDetail.safeParse(JSON.parse(detail)).data;
  } catch {
    return undefined;
  }
}

/** Description of a credit, translated if its event is known. */
export function useCreditDescription(): (credit: StatementCredit) => string {
  const { label } = useTranslation();
  return (credit) => {
    const known = eventOf(credit);
    return known ? fillTemplate(label(logEvents[known.event]), trimAmounts(known.values)) : credit.content;
  };
}
