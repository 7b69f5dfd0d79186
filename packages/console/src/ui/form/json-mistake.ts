export interface JsonMistake {
  readonly line: number;
  readonly reason: string;
}

/** Where JSON text goes wrong, in lines counted from 1; undefined when it is fine or empty. */
export function jsonMistake(text: string): JsonMistake | undefined {
  if (text.trim() === '') return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { line: lineOf(message, text), reason: message.replace(/ in JSON at position.*| \(line.*| at line.*/, '') };
  }
}

/** Browsers say the place in different ways: a position, or a line and a column; some say nothing for a sudden end. */
function lineOf(message: string, text: string): number {
  const line = /line (\d+)/.exec(message)?.[1];
  if (line !== undefined) return Number(line);
  const position = /position (\d+)/.exec(message)?.[1];
  const before = position === undefined ? text : text.slice(0, Number(position));
  return before.split('\n').length;
}
