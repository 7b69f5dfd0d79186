import type { LogFacets, LogHistogram } from '@headgate/contract';
import { histogramRange } from './histogram-range.ts';
import type { LogFacetRepository } from './log-facet-repository.ts';
import type { LogFilter } from './log-filter.ts';
import type { LogHistogramRepository } from './log-histogram-repository.ts';

/** Remembers responses for a short time. */
interface Cache<Response> {
  get(question: object, read: () => Promise<Response>): Promise<Response>;
}

interface LogOverviewDependencies {
  readonly histograms: LogHistogramRepository;
  readonly facets: LogFacetRepository;
  readonly histogramCache: Cache<LogHistogram>;
  readonly facetCache: Cache<LogFacets>;
  readonly nowSeconds: () => number;
}

/** Histogram and facets of the log. The filter contains the caller's scope, so it is the key of the cache. */
export class LogOverviewService {
  readonly #dependencies: LogOverviewDependencies;

  constructor(dependencies: LogOverviewDependencies) {
    this.#dependencies = dependencies;
  }

  histogram(filter: LogFilter): Promise<LogHistogram> {
    const { histograms, histogramCache, nowSeconds } = this.#dependencies;
    return histogramCache.get(this.#rounded(filter), async () => {
      const from = Math.max(filter.within.from, (await histograms.firstTime(filter)) ?? nowSeconds());
      const range = histogramRange({ from, to: Math.min(filter.within.to, nowSeconds()) });
      return histograms.read(filter, range);
    });
  }

  facets(filter: LogFilter): Promise<LogFacets> {
    const { facets, facetCache } = this.#dependencies;
    return facetCache.get(this.#rounded(filter), () => facets.read(filter));
  }

  /** Ranges that end in the future share a cache key, so that an open page gets the cached response. */
  #rounded(filter: LogFilter): LogFilter {
    const { from, to } = filter.within;
    return to < this.#dependencies.nowSeconds() ? filter : { ...filter, within: { from, to: Number.MAX_SAFE_INTEGER } };
  }
}
