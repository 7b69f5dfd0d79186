import type { Attempt } from '../ports/ports.ts';
import { type Price, priceText, type TokenCount } from '../quota/price.ts';

interface Charged {
  readonly price: Price;
  readonly used: TokenCount;
  /** What the user asked for. */
  readonly model: string;
  /** What was sent; undefined when nothing was. */
  readonly sentModel: string | undefined;
  readonly attempts: readonly Attempt[];
  readonly dialect: string;
}

/** The arithmetic of a charge and what is to be known about it, as JSON. */
export function chargeDetail({ price, used, model, sentModel, attempts: tried, dialect: spoken }: Charged): string {
  const { units, counted, implausible } = used;
  const upstream_model = sentModel === model ? undefined : sentModel;
  const attempts = tried.length > 0 ? tried : undefined;
  // Most speak OpenAI's, so that goes without saying.
  const dialect = spoken === 'openai-chat' ? undefined : spoken;
  const isPlain = (units ?? counted ?? implausible ?? upstream_model ?? attempts ?? dialect) === undefined;
  if (isPlain) return priceText(price);
  return JSON.stringify({ ...price, units, counted, odd_usage: implausible, upstream_model, attempts, dialect });
}
