import type { CacheMarked, ContentPart, TextPart } from '../chat/content-part.ts';
import { readImage } from '../image-url.ts';
import { type JsonObject, listOf, objectOf, optionalText, requiredText } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';

/** Cache mark of a part, a message or a tool. */
export const cacheMarkOf = ({ cache_control: mark }: JsonObject, at: string): CacheMarked =>
  mark == null ? {} : { cacheControl: objectOf(mark, `${at}.cache_control`) };

/** Content that may only be text. */
export function textPartsOf(content: unknown, at: string): readonly TextPart[] {
  return partsOf(content, at).map((part) => {
    if (part.type !== 'text') throw new RequestProblem(at, `${at} may only contain text`);
    return part;
  });
}

export function partsOf(content: unknown, at: string): readonly ContentPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return listOf(content, at).map((part, index) => readPart(part, `${at}[${index}]`));
}

function readPart(value: unknown, at: string): ContentPart {
  const part = objectOf(value, at);
  const mark = cacheMarkOf(part, at);
  switch (part['type']) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: requiredText(part[part['type']], `${at}.${part['type']}`), ...mark };
    case 'image_url': {
      const given = part['image_url'];
      const url = typeof given === 'string' ? given : objectOf(given, `${at}.image_url`)['url'];
      return {
        type: 'image',
        image: readImage(requiredText(url, `${at}.image_url.url`), `${at}.image_url.url`),
        ...mark,
      };
    }
    case 'input_audio': {
      const audio = objectOf(part['input_audio'], `${at}.input_audio`);
      const data = requiredText(audio['data'], `${at}.input_audio.data`);
      return { type: 'audio', data, format: requiredText(audio['format'], `${at}.input_audio.format`), ...mark };
    }
    case 'file': {
      const file = objectOf(part['file'], `${at}.file`);
      const name = optionalText(file['filename'], `${at}.file.filename`) ?? '';
      return { type: 'file', name, data: requiredText(file['file_data'], `${at}.file.file_data`), ...mark };
    }
    default:
      throw new RequestProblem(`${at}.type`, `${at}.type is not a supported content type`);
  }
}
