import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { StreamedBody } from './streamed-body';

describe('a streamed body', () => {
  async function textOf(stream: PassThrough, stopped: AbortSignal): Promise<string> {
    let text = '';
    for await (const chunk of new StreamedBody(stream).bytes(stopped)) text += chunk.toString();
    return text;
  }

  it('ends once it is stopped, and leaves the rest to others', async () => {
    const stream = new PassThrough();
    const control = new AbortController();
    const text = textOf(stream, control.signal);
    stream.write('first');
    await turn();
    control.abort();
    stream.write(', second');
    expect(await text).toBe('first');
    expect(stream.destroyed).toBe(false);
    stream.write(', third');
    expect(String(stream.read())).toBe(', second, third');
  });

  it('ends with the bytes so far if the client disconnects', async () => {
    const stream = new PassThrough();
    const text = textOf(stream, new AbortController().signal);
    stream.write('first');
    await turn();
    stream.destroy(new Error('aborted'));
    expect(await text).toBe('first');
  });
});
