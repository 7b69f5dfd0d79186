import type { ContentPart, TextPart } from '../chat/content-part.ts';
import { readImage } from '../image-url.ts';
import { type JsonObject, listOf, objectOf, optionalText, requiredText } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';

/** Content that may only be text. */
export function textPartsOf(content: unknown, at: string): readonly TextPart[] {
  return partsOf(content, at).map((part) => {
    if (part.type !== 'text') throw new RequestProblem(at, `${at} may only contain text`);
    return part;
  });
}

export function partsOf(content: unknown, at: string): readonly ContentPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return listOf(content, at).map((part, index) => readPart(objectOf(part, `${at}[${index}]`), `${at}[${index}]`));
}

function readPart(part: JsonObject, at: string): ContentPart {
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: requiredText(part['text'], `${at}.text`) };
    case 'refusal':
      return { type: 'text', text: requiredText(part['refusal'], `${at}.refusal`) };
    case 'input_image':
      rejectStored(part, 'file_id', at);
      return { type: 'image', image: readImage(requiredText(part['image_url'], `${at}.image_url`), `${at}.image_url`) };
    case 'input_file':
      rejectStored(part, 'file_id', at);
      rejectStored(part, 'file_url', at);
      return {
        type: 'file',
        name: optionalText(part['filename'], `${at}.filename`) ?? '',
        data: requiredText(part['file_data'], `${at}.file_data`),
      };
    case 'input_audio': {
      const audio = objectOf(part['input_audio'], `${at}.input_audio`);
      return {
        type: 'audio',
        data: requiredText(audio['data'], `${at}.input_audio.data`),
        format: requiredText(audio['format'], `${at}.input_audio.format`),
      };
    }
    default:
      throw new RequestProblem(`${at}.type`, `${at}.type is not a supported content type`);
  }
}

/** Data that is stored at OpenAI or must be fetched is not available to other upstreams. */
function rejectStored(part: JsonObject, name: string, at: string): void {
  if (part[name] == null) return;
  throw new RequestProblem(`${at}.${name}`, `The channel's provider does not support ${name}: send the contents`);
}
