import { type PatternPart, parsePattern, type Sequence } from './pattern-tree.ts';

/**
 * Reason why a pattern may take more than linear time, based on its structure; undefined if it cannot. Conservative:
 * some safe structures are rejected as well. A loop is a part with practically unlimited repetition. Two things are
 * expensive. Backtracking: a later loop takes what an earlier one gave back, which requires that both match the same
 * character. Restarting: a pattern without `^` is tried at every position, and each try scans the same run again,
 * unless something before the loop cannot match inside that run.
 */
export function slowReason(source: string, flags: string): string | undefined {
  const analysis = new PatternAnalysis(flags);
  for (const choice of parsePattern(source)) {
    const isAnchored = flags.includes('y') || (!flags.includes('m') && beginsAtStart(choice));
    const found = analysis.sequence(choice, { before: isAnchored ? undefined : [], after: [], isInLoop: false });
    if (found) return found;
  }
  return undefined;
}

/** Fewer repetitions than this count as constant. */
const many = 1000;

interface Place {
  /**
   * Parts that must have matched before, from the pattern's start; undefined if matching does not restart at every
   * position.
   */
  readonly before: Sequence | undefined;
  readonly after: Sequence;
  readonly isInLoop: boolean;
}

class PatternAnalysis {
  readonly #flags: string;
  readonly #known = new Map<string, Characters>();

  constructor(flags: string) {
    this.#flags = flags.replaceAll(/[gy]/g, '');
  }

  sequence(sequence: Sequence, place: Place): string | undefined {
    for (const [index, part] of sequence.entries()) {
      const before = place.before && [...place.before, ...sequence.slice(0, index)];
      const after = [...sequence.slice(index + 1), ...place.after];
      const found = this.#part(part, { ...place, before, after });
      if (found) return found;
    }
    return undefined;
  }

  #part(part: PatternPart, place: Place): string | undefined {
    switch (part.kind) {
      case 'character':
        return undefined;
      case 'backreference':
        return 'it uses a backreference';
      case 'edge':
        return this.#choices(part.choices, { ...place, after: [end] });
      case 'group':
        return this.#choices(part.choices, place);
      case 'repeat':
        return part.most < many ? this.#few(part, place) : this.#loop(part, place);
    }
  }

  /** An optional part is a choice that a surrounding loop repeats. */
  #few({ part, least, most }: Repeat, place: Place): string | undefined {
    const isOpen = place.isInLoop && least < most && meet(this.#first([part]), this.#first(place.after));
    return isOpen ? 'in a loop, a part and what follows match the same character' : this.#part(part, place);
  }

  #choices(choices: readonly Sequence[], place: Place): string | undefined {
    if (place.isInLoop && this.#overlap(choices)) return 'in a loop, two alternatives start with the same character';
    for (const choice of choices) {
      const found = this.sequence(choice, place);
      if (found) return found;
    }
    return undefined;
  }

  #loop(loop: Repeat, place: Place): string | undefined {
    const { before, after, isInLoop } = place;
    const triesAgain = meet(this.#first([loop.part]), this.#first(after));
    if (triesAgain && (isInLoop || after.some(hasLoop))) return 'a loop and what follows match the same character';
    const startsAgain = before && !isInLoop && after.some(mayFail) && !this.#isFenced(before, loop);
    if (startsAgain) return 'it may start anywhere inside the run of its loop';
    return this.#part(loop.part, { before: undefined, after: [{ ...loop, least: 0 }, ...after], isInLoop: true });
  }

  /** Something before the loop cannot match inside its run, nor inside that of a loop in between. */
  #isFenced(before: Sequence, loop: PatternPart): boolean {
    const runs = [this.#all(loop)];
    for (const part of before.toReversed()) {
      if (hasLoop(part)) runs.push(this.#all(part));
      else if (part.kind === 'character' && runs.every((run) => !meet(run, this.#of(part.source)))) return true;
      else if (part.kind === 'group' && part.choices.length === 1 && part.choices[0]) {
        if (this.#isFenced(part.choices[0], loop)) return true;
      }
    }
    return false;
  }

  #overlap(choices: readonly Sequence[]): boolean {
    const firsts = choices.map((choice) => this.#first(choice));
    return firsts.some((first, index) => firsts.slice(index + 1).some((other) => meet(first, other)));
  }

  /** Characters that a sequence may start with. */
  #first(sequence: Sequence): Characters {
    const found = new Set<number>();
    for (const part of sequence) {
      for (const character of this.#firstOf(part)) found.add(character);
      if (!mayBeNothing(part)) break;
    }
    return found;
  }

  #firstOf(part: PatternPart): Characters {
    if (part.kind === 'character') return this.#of(part.source);
    if (part.kind === 'repeat') return this.#firstOf(part.part);
    return part.kind === 'group' ? union(part.choices.map((choice) => this.#first(choice))) : none;
  }

  /** All characters that a part may match. */
  #all(part: PatternPart): Characters {
    if (part.kind === 'character') return this.#of(part.source);
    if (part.kind === 'repeat') return this.#all(part.part);
    return part.kind === 'group' ? union(part.choices.flat().map((inner) => this.#all(inner))) : none;
  }

  #of(source: string): Characters {
    const known = this.#known.get(source);
    if (known) return known;
    const pattern = new RegExp(`^(?:${source})$`, this.#flags);
    const found = new Set(samples.filter((code) => pattern.test(String.fromCodePoint(code))));
    this.#known.set(source, found);
    return found;
  }
}

type Repeat = PatternPart & { readonly kind: 'repeat' };
type Characters = ReadonlySet<number>;

const none: Characters = new Set();
const end: PatternPart = { kind: 'edge', source: '$', choices: [] };

/** Sample characters that distinguish character classes. */
const samples: readonly number[] = [
  ...Array.from({ length: 0x300 }, (_, code) => code),
  0x301,
  0x378,
  0x3b1,
  0x5d0,
  0x200b,
  0x2014,
  0x2028,
  0x20ac,
  0x3000,
  0x4e2d,
  0xac00,
  0xd83d,
  0xde00,
  0xfeff,
  0x1f600,
];

const meet = (one: Characters, other: Characters) => one.intersection(other).size > 0;

const union = (sets: readonly Characters[]): Characters => new Set(sets.flatMap((set) => [...set]));

function beginsAtStart([first]: Sequence): boolean {
  if (first?.kind === 'edge') return first.source === '^';
  return first?.kind === 'group' && first.choices.every(beginsAtStart);
}

function hasLoop(part: PatternPart): boolean {
  if (part.kind === 'repeat') return part.most >= many || hasLoop(part.part);
  return 'choices' in part && part.choices.some((choice) => choice.some(hasLoop));
}

/** True if it may match the empty string. */
function mayBeNothing(part: PatternPart): boolean {
  if (part.kind === 'repeat') return part.least === 0 || mayBeNothing(part.part);
  if (part.kind === 'group') return part.choices.some((choice) => choice.every(mayBeNothing));
  return part.kind === 'edge';
}

/** True if the part can fail to match some text. */
function mayFail(part: PatternPart): boolean {
  if (part.kind === 'repeat') return part.least > 0 && mayFail(part.part);
  return part.kind !== 'group' || part.choices.every((choice) => choice.some(mayFail));
}
