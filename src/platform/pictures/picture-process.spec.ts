import { existsSync, readFileSync } from 'node:fs';
import { Logger } from '@nestjs/common';
import sharp from 'sharp';
import { largeAvif } from '../../../test/support/avif';
import { gifOfFrames } from '../../../test/support/gif';
import { hold, peakMemoryOf, pictureProcesses } from '../../../test/support/picture-processes';
import { ServerBusy } from '../errors/request.errors';
import { PictureTakesTooLong, PictureTakesTooMuch } from './pictures.errors';
import { PictureProcess } from './picture-process';
import type { PictureRequest } from './picture-worker';

const SECONDS = 1000;
const MIB = 1024 * 1024;

const requestFor = (file: Buffer): PictureRequest => ({
  file,
  isLenient: false,
  recipe: { moving: { isAnimated: true, width: 64, height: 64, fit: 'contain', format: 'gif' } },
});

describe('The process that decodes pictures', () => {
  let decoder: PictureProcess;
  const ask = (file: Buffer, ms = 60 * SECONDS) => decoder.ask(requestFor(file), ms);

  beforeEach(() => {
    decoder = new PictureProcess();
    jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  });

  afterEach(() => {
    decoder.close();
    jest.restoreAllMocks();
  });

  it('starts with the first picture, and is kept', async () => {
    expect(pictureProcesses()).toEqual([]);
    await expect(ask(gifOfFrames(2))).resolves.toMatchObject({ header: { kind: 'gif', frames: 2 } });
    const started = pictureProcesses();
    expect(started).toHaveLength(1);
    await ask(gifOfFrames(3));
    expect(pictureProcesses()).toEqual(started);
  });

  it('is killed if a picture takes too long, and a new one decodes the next', async () => {
    await ask(gifOfFrames(2));
    const [former] = pictureProcesses();
    hold(former);
    await expect(ask(gifOfFrames(2), 30)).rejects.toThrow(PictureTakesTooLong);
    await expect(ask(gifOfFrames(2))).resolves.toMatchObject({ made: { moving: expect.any(Buffer) } });
    const present = pictureProcesses();
    expect(present).toHaveLength(1);
    expect(present).not.toContain(former);
  });

  it('may crash on a picture, which fails only that one', async () => {
    await ask(gifOfFrames(2));
    const fate = ask(gifOfFrames(500, 280, 280));
    const [pid] = pictureProcesses();
    process.kill(pid!, 'SIGKILL');
    await expect(fate).rejects.toThrow(PictureTakesTooMuch);
    await expect(ask(gifOfFrames(2))).resolves.toMatchObject({ made: { moving: expect.any(Buffer) } });
  });

  it('is restarted if it ended between pictures', async () => {
    await ask(gifOfFrames(2));
    const [pid] = pictureProcesses();
    process.kill(pid!, 'SIGKILL');
    while (existsSync(`/proc/${pid}`)) await new Promise(setImmediate);
    await expect(ask(gifOfFrames(2))).resolves.toMatchObject({ header: { frames: 2 } });
  });

  it('cannot exceed its memory limit, whatever the limits on pictures', async () => {
    await ask(gifOfFrames(2));
    const [pid] = pictureProcesses();
    const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
    expect(limits).toMatch(new RegExp(`^Max data size +${448 * MIB} `, 'm'));
    expect(
      readFileSync(`/proc/${pid}/environ`, 'utf8')
        .split('\0')
        .map((line) => line.split('=')[0]),
    ).not.toContain('TEST_DATABASE_URL');
  });

  it('is gone after it is closed', async () => {
    const fate = ask(gifOfFrames(500, 280, 280));
    while (pictureProcesses().length === 0) await new Promise(setImmediate);
    decoder.close();
    await expect(fate).rejects.toThrow(ServerBusy);
    await expect(ask(gifOfFrames(2))).rejects.toThrow(ServerBusy);
    while (pictureProcesses().length > 0) await new Promise(setImmediate);
  });

  it.each([
    ['says what it is', largeAvif(), 'too much memory'],
    ['lies', largeAvif(63), 'unreadable'],
  ])('does not decode a small AVIF that decodes to very much, where it %s', async (_what, file, refusal) => {
    await ask(gifOfFrames(2));
    const [pid] = pictureProcesses();
    const still = { width: 100, height: 100, fit: 'inside', format: 'webp' } as const;
    const request = { file, isLenient: true, recipe: { still } };
    await expect(decoder.ask(request, 60 * SECONDS)).resolves.toMatchObject({ refusal });
    expect(pictureProcesses()).toEqual([pid]);
    expect(peakMemoryOf(pid!)).toBeLessThan(200 * MIB);
  });

  it('decodes an AVIF of an ordinary size', async () => {
    const file = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#369' } })
      .avif({ effort: 0 })
      .toBuffer();
    const still = { width: 100, height: 100, fit: 'inside', format: 'webp' } as const;
    await expect(
      decoder.ask({ file, isLenient: true, recipe: { still } }, 60 * SECONDS),
    ).resolves.toMatchObject({ header: { kind: 'avif', width: 400 }, made: { still: expect.any(Buffer) } });
  });
});
