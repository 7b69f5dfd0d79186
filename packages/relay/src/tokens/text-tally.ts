import { LineRest } from '../framing/line-rest.ts';
import { cutAt } from './cut.ts';
import type { Said } from './said.ts';
import type { TokenSum } from './token-sum.ts';

/** Answers side by side and their calls of tools. More than that share one, and are counted a little wrong. */
const mostStrands = 256;

class Strand {
  readonly rest = new LineRest();
  length = 0;
}

/** Counts the text of a stream as it goes by: what was handed on to be counted is not kept. */
export class TextTally {
  readonly #sum: TokenSum;
  readonly #batch: number;
  readonly #strands = new Map<string, Strand>();

  /** So many bytes of a strand are gathered before they are handed on. */
  constructor(sum: TokenSum, batch: number) {
    this.#sum = sum;
    this.#batch = batch;
  }

  add({ strand: key, text }: Said): void {
    const strand = this.#strand(key);
    const bytes = Buffer.from(text);
    if (strand.length + bytes.length <= this.#batch) {
      strand.rest.keep(bytes);
      strand.length += bytes.length;
      return;
    }
    const whole = strand.rest.before(bytes).toString('utf8');
    const end = cutAt(whole, 0, whole.length - 1);
    this.#sum.add([whole.slice(0, end)]);
    const kept = Buffer.from(whole.slice(end));
    strand.rest.keep(kept);
    strand.length = kept.length;
  }

  /** Undefined when that cannot be told in time. */
  total(): Promise<number | undefined> {
    this.#sum.add([...this.#strands.values()].map(({ rest }) => rest.before(Buffer.alloc(0)).toString('utf8')));
    this.#strands.clear();
    return this.#sum.total();
  }

  /** Nobody wants to know any more. */
  drop(): void {
    this.#strands.clear();
    this.#sum.drop();
  }

  #strand(key: string): Strand {
    const name = this.#strands.size < mostStrands || this.#strands.has(key) ? key : '';
    const known = this.#strands.get(name);
    if (known) return known;
    const strand = new Strand();
    this.#strands.set(name, strand);
    return strand;
  }
}
