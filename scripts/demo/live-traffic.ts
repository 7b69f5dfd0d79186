import type { DemoData } from './sample-data.ts';

const pauseMs = 4000;
const questions = [
  'How much water does a field of barley need in June?',
  'Write a note to the neighbours about the repair of the weir.',
  'Which gate was opened last, and by whom?',
  'Summarise the meeting of the canal company in three lines.',
];

/**
 * Sends a request every few seconds with a user's token, so that the console shows activity. Returns a function that
 * stops it.
 */
export function startLiveTraffic(address: string, { people, channels }: DemoData): () => void {
  let turn = 0;
  const timer = setInterval(() => {
    turn += 1;
    const person = people[turn % people.length];
    const channel = channels[turn % channels.length];
    const key = person?.keys[0];
    if (key === undefined || !channel) return;
    const content = questions[turn % questions.length] ?? '';
    const body = { model: channel.models[0], stream: turn % 2 === 0, messages: [{ role: 'user', content }] };
    // Requests of the demo may fail: failures are part of what it shows.
    fetch(new URL('/v1/chat/completions', address), {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
      .then((response) => response.arrayBuffer())
      .catch(() => undefined);
  }, pauseMs);
  return () => clearInterval(timer);
}
