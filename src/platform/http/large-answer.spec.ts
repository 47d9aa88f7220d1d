import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { LargeAnswer, textOrStream } from './large-answer';

describe('A text generated in pieces', () => {
  it('is a text if small, and otherwise a stream of the same text', async () => {
    const pieces = Array.from({ length: 500 }, (_, at) => `${at}😀`.repeat(at));
    expect(textOrStream(pieces.slice(0, 10).values())).toBe(pieces.slice(0, 10).join(''));
    const answer = textOrStream(pieces.values());
    expect(answer instanceof LargeAnswer).toBe(true);
    expect((await text(answer as LargeAnswer)) === pieces.join('')).toBe(true);
  });

  it('is aborted when the client stops reading', async () => {
    const finished = jest.fn();
    function* pieces() {
      try {
        for (;;) yield 'x'.repeat(1000);
      } finally {
        finished();
      }
    }
    const started = pieces();
    started.next();
    const answer = new LargeAnswer('x', started, 20);
    answer.once('readable', () => undefined);
    const [error] = (await once(answer, 'error')) as [Error];
    expect(error.message).toBe('The client took too long to receive the response.');
    expect(finished).toHaveBeenCalledTimes(1);
  });
});
