import {
  listAt,
  numberOf,
  optionalText,
  RequestProblem,
  requiredText,
  textAt,
  UpstreamProblem,
} from '@headgate/dialects';
import { readGeminiProblem } from '../gemini/gemini-problem.ts';
import type { JsonAdaptor } from '../provider.ts';
import { modelRequest } from './address.ts';

/** Imagen adaptor. Imagen returns image data, never a URL. */
export const images: JsonAdaptor = {
  kind: 'convert',
  encode: (body, upstream) => {
    if (body['response_format'] === 'url') {
      throw new RequestProblem('response_format', 'This model supports only response_format b64_json');
    }
    const parameters = { sampleCount: numberOf(body['n'], 'n') ?? 1, ...shapeOf(optionalText(body['size'], 'size')) };
    return modelRequest(
      upstream,
      { publisher: 'google', version: 'v1beta1', action: 'predict' },
      { instances: [{ prompt: requiredText(body['prompt'], 'prompt') }], parameters },
    );
  },
  decode: (body, upstream) => {
    const data = listAt(body, 'predictions').flatMap((row) => {
      const picture = textAt(row, 'bytesBase64Encoded');
      return picture === '' ? [] : [{ b64_json: picture }];
    });
    // Blocked images are missing from the response.
    if (data.length === 0) throw new UpstreamProblem(400, 'The upstream blocked all images', 'content_filter');
    return { reply: { created: Math.floor(upstream.now / 1000), data } };
  },
  readProblem: readGeminiProblem,
};

const shapes = ['1:1', '4:3', '3:4', '16:9', '9:16'];

/** Closest of Imagen's five aspect ratios to the requested size. */
function shapeOf(size: string | undefined) {
  if (size === undefined || size === 'auto') return {};
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size) ?? [];
  if (width === undefined || height === undefined || Number(height) === 0) {
    throw new RequestProblem('size', 'size must be width x height, such as 1024x1024');
  }
  const wanted = Math.log(Number(width) / Number(height));
  const [nearest] = shapes.toSorted((a, b) => distance(a, wanted) - distance(b, wanted));
  return { aspectRatio: nearest };
}

function distance(shape: string, wanted: number): number {
  const [width, height] = shape.split(':').map(Number);
  return Math.abs(Math.log((width ?? 1) / (height ?? 1)) - wanted);
}
