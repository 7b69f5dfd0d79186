import type { JsonObject } from '../json-fields.ts';
import { textAt } from '../upstream-fields.ts';

/** What is to be drawn, as far as it decides the price. */
export interface PictureWish {
  /** Width and height in pixels, joined by an x. */
  readonly size: string;
  readonly isFine: boolean;
  readonly description: string;
}

/** The fields that a client is told of when it asks for what a model does not draw. */
export const pictureFields = { count: 'n', size: 'size', description: 'prompt' } as const;

const usualSize = '1024x1024';

export const readPictureWish = (body: JsonObject): PictureWish => ({
  size: textAt(body, pictureFields.size) || usualSize,
  isFine: body['quality'] === 'hd',
  description: textAt(body, pictureFields.description),
});

/** Whether pictures are to come as events, better and better ones; a form says it as text. */
export const wantsPictureEvents = ({ stream }: JsonObject): boolean => String(stream) === 'true';
