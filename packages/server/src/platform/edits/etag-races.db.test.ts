import { expect, test } from 'vitest';
import { changeSample, editSamples, etagOf, readSample } from '../../testing/accounts/edit-samples.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { samples } = await editSamples(app);

test.each(Object.entries(samples))(
  '[A52.10] rejects one of two concurrent changes of one %s with the same ETag',
  async (_, sample) => {
    const scene = await sample.make();
    const before = etagOf(await readSample(scene, sample));
    const responses = await Promise.all(sample.bodies.map((body) => changeSample(scene, sample, body, before)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412]);
  },
);
