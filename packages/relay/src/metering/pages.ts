import { type JsonObject, maxDocumentPages, requestedPages } from '@headgate/dialects';
import { billedPages, pageCountField, returnedPages } from '@headgate/providers';
import { noTokens, type TokenCount } from '../quota/quota-of.ts';
import type { RelayRequest } from '../request/read-request.ts';
import type { UsageEstimate } from './estimated-usage.ts';
import { noReportedUsage, type ReportedUsage } from './read-usage.ts';

/** Price units of a page, the same as of an image: a ratio of 1 is $0.002 per page. */
const unitsPerPage = 1000;

const unitsOf = (pages: number): TokenCount => ({ ...noTokens, units: pages * unitsPerPage });

/**
 * Estimated usage of an OCR request. The pages of a document are unknown before it was read, so the maximum is reserved
 * as far as the balance allows.
 */
export function estimatePages({ body }: Pick<RelayRequest, 'body'>): UsageEstimate {
  const requested = requestedPages(body);
  const used: TokenCount = { ...unitsOf(requested ?? 1), counted: 'estimate' };
  if (requested !== undefined) return { most: unitsOf(requested), least: undefined, used };
  return { most: unitsOf(maxDocumentPages), least: unitsOf(1), used };
}

interface PageUsage {
  readonly reported: ReportedUsage;
  readonly use: TokenCount;
}

/** Usage of an OCR request as reported by its upstream; without a plausible report, the pages of the response. */
export function pageUsage(reply: JsonObject, { body }: Pick<RelayRequest, 'body'>): PageUsage {
  const most = requestedPages(body) ?? maxDocumentPages;
  const returned = Math.min(returnedPages(reply), most);
  const billed = billedPages(reply);
  const isPossible =
    billed !== undefined && Number.isInteger(billed) && billed >= Math.min(returned, 1) && billed <= most;
  if (isPossible) return { reported: noReportedUsage, use: unitsOf(billed) };
  const use: TokenCount = {
    ...unitsOf(returned),
    counted: 'estimate',
    ...(billed !== undefined && { implausible: `${pageCountField} ${billed}` }),
  };
  return { reported: noReportedUsage, use };
}
