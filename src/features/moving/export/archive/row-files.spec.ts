import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { JsonFile, writeText } from './row-files';

const open = () => new AbortController();

describe('Writing into a file', () => {
  it('waits until a slow reader has taken what is there', async () => {
    const sink = new PassThrough({ highWaterMark: 4 });
    let isWritten = false;
    const writing = writeText(sink, 'more than four', open().signal).then(() => (isWritten = true));
    await new Promise(setImmediate);
    expect(isWritten).toBe(false);
    sink.resume();
    await writing;
  });

  it('stops when it is no longer needed, also between the rows of a table', async () => {
    const reason = new Error('no longer needed');
    const controller = open();
    const sink = new PassThrough();
    function* rows() {
      for (let id = 1; id <= 3; id++) {
        if (id === 3) controller.abort(reason);
        yield { id };
      }
    }
    await expect(new JsonFile(sink, controller.signal).list(rows())).rejects.toBe(reason);
    await expect(writeText(sink, 'more', controller.signal)).rejects.toBe(reason);
    expect(String(sink.read())).toContain('{"id":2}');
  });

  it('fails with what closed the file, rather than waiting', async () => {
    const reason = new Error('disk full');
    const sink = new PassThrough({ highWaterMark: 1 });
    sink.destroy(reason);
    await once(sink, 'close').catch(() => undefined);
    await expect(writeText(sink, 'text', open().signal)).rejects.toBe(reason);
  });
});
