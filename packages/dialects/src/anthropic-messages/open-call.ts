/** A call whose arguments arrive in pieces. Detects the end of the arguments by reading each character once. */
export class OpenCall {
  readonly index: number;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** True when the arguments object is complete and only whitespace can follow. */
  isWhole = false;

  constructor(index: number) {
    this.index = index;
  }

  add(json: string): void {
    for (let at = 0; at < json.length; at += 1) {
      const character = json.charCodeAt(at);
      if (this.#isInString) this.#inString(character);
      else this.#services(character);
    }
  }

  #inString(character: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === backslash) this.#isEscaped = true;
    else if (character === quote) this.#isInString = false;
  }

  #services(character: number): void {
    if (character === quote) this.#isInString = true;
    else if (character === openBrace || character === openBracket) this.#depth += 1;
    else if (character === closeBrace || character === closeBracket) {
      this.#depth -= 1;
      this.isWhole ||= this.#depth === 0;
    }
  }
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
