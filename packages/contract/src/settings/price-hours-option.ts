import * as z from 'zod/mini';
import { priceHourLimits, readPriceHours } from '../catalog/price-hours.ts';
import type { OptionErrorMessage } from './option-messages.ts';
import type { OptionRow, OptionSection } from './option-row.ts';

const invalid: OptionErrorMessage = '{label} must be a JSON object of models and lists of hours';
const invalidModel: OptionErrorMessage = '{label}: the hours of {item} are invalid';

/** Option with the hours in which models cost a multiple of their price. */
export const priceHours = (section: OptionSection, label: string): OptionRow<string> => ({
  section,
  control: 'long-text',
  label,
  initial: '',
  schema: z.string().check(
    z.maxLength(priceHourLimits.textLength, '{label} may have at most {max} characters'),
    z.check<string>(({ value, issues }) => {
      const { hours, item } = readPriceHours(value);
      if (!hours)
        issues.push({ code: 'custom', message: item ? invalidModel : invalid, params: { item }, input: value });
    }),
  ),
  format: (value) => value,
  help: "JSON object that maps model names or patterns to hours with a price multiplier. You can also edit these hours in each model's price.",
  changedBy: 'admin',
});
