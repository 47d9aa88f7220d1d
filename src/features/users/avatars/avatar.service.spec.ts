import sharp from 'sharp';
import { makeAvatars as makeAvatarsWith } from './avatar.service';
import { Pictures } from '../../../platform/pictures/pictures';

const pictures = new Pictures();
const makeAvatars = (file: Buffer) => makeAvatarsWith(pictures, 1, file);

afterAll(() => pictures.onApplicationShutdown());

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } });

describe('pictures', () => {
  it.each(['png', 'jpeg', 'gif', 'webp'] as const)('of type %s become square PNGs', async (format) => {
    const avatars = await makeAvatars(await picture(300, 40).toFormat(format).toBuffer());
    const [small, medium] = [await sharp(avatars.small).metadata(), await sharp(avatars.medium).metadata()];
    expect(small).toMatchObject({ format: 'png', width: 100, height: 100 });
    expect(medium).toMatchObject({ format: 'png', width: 500, height: 500 });
  });

  it.each([
    ['text', Buffer.from('hello')],
    ['nothing', Buffer.alloc(0)],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['half a PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
  ])('are not made of %s', async (_, file) => {
    await expect(makeAvatars(file)).rejects.toMatchObject({ code: 'BAD_IMAGE' });
  });

  it('are refused if they would take too much memory', async () => {
    const huge = await picture(9000, 9000).png().toBuffer();
    await expect(makeAvatars(huge)).rejects.toMatchObject({ code: 'BAD_IMAGE' });
  });
});
