/** Output of a sample model, split into one or two words per chunk. */
const sentences = [
  'A headgate is the gate at the head of a canal: it decides how much water a channel gets, and it keeps count.',
  'Open it a little and the fields below drink evenly; leave it open in spring and the river takes the banks with it.',
  'Each farm has a share of the flow, each share is measured at a weir, and what one farm leaves the next may use.',
  'When one ditch breaks, the water master closes its gate and sends the water round by another.',
  'The book beside the gate says who drew how much and when, so that nobody has to argue in August.',
];

export interface SampleResponse {
  readonly pieces: readonly string[];
  readonly text: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

const charactersPerToken = 4;

/** The same prompt always gets the same response. */
export function sampleResponseTo(question: string, model: string): SampleResponse {
  const start = [...question].reduce((sum, character) => sum + character.charCodeAt(0), 0) % sentences.length;
  const sampleText = [0, 1, 2].map((offset) => sentences[(start + offset) % sentences.length]).join(' ');
  const text = `This is ${model}, a sample model that runs on your own machine. ${sampleText}`;
  const pieces = text.match(/\S+\s*/g) ?? [text];
  return {
    pieces,
    text,
    promptTokens: Math.max(1, Math.ceil(question.length / charactersPerToken)),
    completionTokens: pieces.length,
  };
}
