import sharp from 'sharp';
import { MessageRendererService } from '../../src/features/messages/markdown/message-renderer.service';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { fetchMessage } from '../support/message-setup';
import { holdPictures, movingPicture, picturesDone, plainPicture } from '../support/picture-setup';
import { TestApp } from '../support/test-app';
import { attachmentsOf, load, post, tell, upload } from '../support/upload-setup';

let app: TestApp;
let channel: number;

beforeAll(async () => {
  app = await TestApp.start();
  const { mia, max } = app.cast;
  channel = await createChannel(app, mia, 'pictures', { principals: [mia.id, max.id] });
});

afterAll(() => app.stop());

afterEach(() => jest.restoreAllMocks());

const mia = () => app.cast.mia;
/** What does not get small. */
const NOISE = {
  channels: 3,
  background: '#000',
  noise: { type: 'gaussian', mean: 128, sigma: 30 },
} as const;

const png = () => plainPicture(60, 40).png().toBuffer();
const uploadPng = async (owner: Member = mia()) =>
  upload(app, owner, { name: 'a.png', content: await png() });

const measures = 'data-original-content-type="image/png" data-original-dimensions="60x40"';
const thumbnail = (url: string) =>
  `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`;
const preview = (url: string, image: string, title = '') =>
  `<div class="message_inline_image"><a href="${url}"${title ? ` title="${title}"` : ''}>${image}</a></div>`;
const ready = (url: string) => `<img ${measures} src="${thumbnail(url)}">`;
const loading = `<img class="image-loading-placeholder" ${measures} src="/static/images/loading/loader-black.svg">`;

const shown = async (id: number, reader: Member = mia()) =>
  (await fetchMessage(app, reader, id, { apply_markdown: true })).content as string;
const rendered = async (author: Member, content: string) =>
  expectSuccess(await app.as(author).post('/messages/render', { content })).rendered as string;

describe('A picture that a message links', () => {
  it('is shown with what is known of it', async () => {
    const url = await uploadPng();
    await picturesDone(app);
    const id = await post(app, mia(), channel, `soup [a.png](${url})\n\n[](${url})`);
    expect(await shown(id)).toBe(
      `<p>soup <a href="${url}">a.png</a></p>\n${preview(url, ready(url), 'a.png')}<p><a href="${url}">${url}</a></p>`,
    );
    const inPlace = await post(app, mia(), channel, `soup ![a.png](${url})`);
    expect(await shown(inPlace)).toBe(
      `<p>soup <img alt="a.png" class="inline-image" ${measures} data-original-src="${url}" src="${thumbnail(url)}"></p>`,
    );
    const found = expectSuccess(
      await app.as(mia()).get('/messages', {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        narrow: [{ operator: 'has', operand: 'image' }],
      }),
    );
    expect(found.messages[0].id).toBe(inPlace);
  });

  it('is linked without a slash before where the address names this site, and shown all the same', async () => {
    const url = await uploadPng();
    await picturesDone(app);
    const site = 'http://chat.example.com';
    const id = await post(app, mia(), channel, `soup [a.png](${site}${url}) ${site}${url}`);
    expect(await shown(id)).toBe(
      `<p>soup <a href="${url.slice(1)}">a.png</a> <a href="${url.slice(1)}">${site}${url}</a></p>\n` +
        preview(url, ready(url), 'a.png'),
    );
    const { attachments } = expectSuccess(await app.as(mia()).get('/attachments'));
    const [attachment] = attachments.filter((each: { path_id: string }) => url.endsWith(each.path_id));
    expect(attachment.message_ids).toEqual([id]);
  });

  it('moves, where it was uploaded like that', async () => {
    const url = await upload(app, mia(), { name: 'a.gif', content: await movingPicture(3, 30, 20) });
    await picturesDone(app);
    expect(await rendered(mia(), `[](${url})`)).toBe(
      preview(
        url,
        '<img data-animated="true" data-original-content-type="image/gif" data-original-dimensions="30x20" ' +
          `src="${thumbnail(url).replace('.webp', '-anim.webp')}">`,
      ),
    );
  });

  it('has a larger version of itself, where browsers do not show its kind', async () => {
    const content = await plainPicture(60, 40).tiff().toBuffer();
    const url = await upload(app, mia(), { name: 'a.tiff', content });
    await picturesDone(app);
    expect(await rendered(mia(), `[](${url})`)).toContain(' data-transcoded-image="60x40.webp" ');
    expect((await load(app, mia(), thumbnail(url).replace('840x560', '60x40'))).status).toBe(200);
  });

  it('comes into the message when it is ready', async () => {
    const { max } = app.cast;
    const release = holdPictures(app);
    const url = await uploadPng();
    const other = await uploadPng();
    const content = `![b](${other}) [](${url})`;
    const id = await post(app, mia(), channel, content);
    const before =
      `<p><img alt="b" class="inline-image image-loading-placeholder" ${measures} data-original-src="${other}" ` +
      `src="/static/images/loading/loader-black.svg"> <a href="${url}">${url}</a></p>\n${preview(url, loading)}`;
    expect(await shown(id)).toBe(before);
    const direct = await tell(app, mia(), max, `[](${url})`);
    const events = await app.captureEvents(release);
    const after =
      `<p><img alt="b" class="inline-image" ${measures} data-original-src="${other}" src="${thumbnail(other)}"> ` +
      `<a href="${url}">${url}</a></p>\n${preview(url, ready(url))}`;
    expect(await shown(id)).toBe(after);
    const told = events.filter(({ event }) => event.type === 'update_message');
    expect(told.filter(({ event }) => event.message_id === direct)).toEqual([
      expect.objectContaining({
        event: {
          type: 'update_message',
          user_id: null,
          edit_timestamp: expect.any(Number),
          message_id: direct,
          message_ids: [direct],
          flags: [],
          rendering_only: true,
          content: `[](${url})`,
          rendered_content: preview(url, ready(url)),
        },
        audience: [max.id, mia().id].sort((one, another) => one - another),
      }),
    ]);
    const inChannel = told.filter(({ event }) => event.message_id === id);
    expect(inChannel.at(-1)?.event.rendered_content).toBe(after);
    const message = await fetchMessage(app, mia(), id);
    expect(message).not.toHaveProperty('last_edit_timestamp');
    expect(message).not.toHaveProperty('edit_history');
  });

  it('comes into a message that was rendered before it was ready and sent after', async () => {
    const release = holdPictures(app);
    const url = await uploadPng();
    const renderer = app.get(MessageRendererService);
    const render = renderer.renderFor.bind(renderer);
    const spy = jest.spyOn(renderer, 'renderFor').mockImplementation(async (author, markdown) => {
      const early = await render(author, markdown);
      expect(early.html).toBe(preview(url, loading));
      await release();
      return early;
    });
    const id = await post(app, mia(), channel, `[](${url})`);
    spy.mockRestore();
    await picturesDone(app);
    expect(await shown(id)).toBe(preview(url, ready(url)));
  });

  it('is not waited for any longer, where the file goes before it is ready', async () => {
    const release = holdPictures(app);
    const url = await uploadPng();
    const id = await post(app, mia(), channel, `![a](${url})`);
    expect(await shown(id)).toContain('image-loading-placeholder');
    const [{ id: file }] = (await attachmentsOf(app, mia())).slice(-1);
    const events = await app.captureEvents(async () => {
      expectSuccess(await app.as(mia()).delete(`/attachments/${file}`));
      await release();
    });
    const image = `<p><img alt="a" class="inline-image" data-original-src="${url}" src="${url}"></p>`;
    expect(await shown(id)).toBe(image);
    expect(events.map(({ event }) => [event.type, event.rendered_content])).toEqual([
      ['attachment', undefined],
      ['update_message', image],
    ]);
  });

  it('comes into an edited message, and into what its history shows', async () => {
    const release = holdPictures(app);
    const [first, second] = [await uploadPng(), await uploadPng()];
    const id = await post(app, mia(), channel, `[](${first})`);
    expectSuccess(await app.as(mia()).patch(`/messages/${id}`, { content: `[](${second})` }));
    await release();
    expect(await shown(id)).toBe(preview(second, ready(second)));
    const { message_history: history } = expectSuccess(await app.as(mia()).get(`/messages/${id}/history`));
    expect(history.map(({ rendered_content }: { rendered_content: string }) => rendered_content)).toEqual([
      preview(first, ready(first)),
      preview(second, ready(second)),
    ]);
    const { edit_history: edits } = await fetchMessage(app, mia(), id);
    expect(edits[0].prev_rendered_content).toBe(preview(first, ready(first)));
  });

  it('is shown as it was uploaded, where no smaller version of it can be made', async () => {
    const release = holdPictures(app);
    const whole = await sharp({ create: { ...NOISE, width: 60, height: 40 } })
      .png()
      .toBuffer();
    const content = whole.subarray(0, whole.length / 2);
    const url = await upload(app, mia(), { name: 'a.png', content });
    const id = await post(app, mia(), channel, `[](${url})`);
    expect(await shown(id)).toBe(preview(url, loading));
    const events = await app.captureEvents(release);
    expect(await shown(id)).toBe(preview(url, `<img src="${url}">`));
    expect(events.map(({ event }) => [event.type, event.rendering_only])).toEqual([['update_message', true]]);
  });

  it('is shown as it was uploaded in what is sent later, and in what a bot says', async () => {
    const release = holdPictures(app);
    const url = await uploadPng();
    const later = Math.floor(Date.now() / 1000) + 3600;
    const wanted = {
      type: 'direct',
      to: [mia().id],
      content: `![a](${url})`,
      scheduled_delivery_timestamp: later,
    };
    expectSuccess(await app.as(mia()).post('/scheduled_messages', wanted));
    const { scheduled_messages: scheduled } = expectSuccess(await app.as(mia()).get('/scheduled_messages'));
    const image = `<img alt="a" class="inline-image" data-original-src="${url}" src="${url}">`;
    expect(scheduled[0].rendered_content).toBe(`<p>${image}</p>`);
    const id = await post(app, mia(), channel, `![a](${url})`);
    const reminder = { message_id: id, scheduled_delivery_timestamp: later };
    expectSuccess(await app.as(mia()).post('/reminders', reminder));
    const { reminders } = expectSuccess(await app.as(mia()).get('/reminders'));
    expect(reminders[0].rendered_content).toContain(image);
    await release();
  });

  it('stays a link where the file is none', async () => {
    const url = await upload(app, mia(), { name: 'a.png', content: 'text' });
    expect(await rendered(mia(), `![a](${url})`)).toBe(`<p><a href="${url}">a</a></p>`);
  });

  it('stays a link where its author may not read the file', async () => {
    const url = await uploadPng(app.cast.max);
    expect(await rendered(mia(), `[a](${url})`)).toBe(`<p><a href="${url}">a</a></p>`);
    await tell(app, app.cast.max, mia(), `[a](${url})`);
    expect(await rendered(mia(), `[a](${url})`)).toContain('<img');
  });

  it('is looked at late, where that was not done when it was uploaded', async () => {
    const url = await uploadPng();
    await picturesDone(app);
    const [{ id }] = (await attachmentsOf(app, mia())).slice(-1);
    await app.writeRows((tx) => tx.query('DELETE FROM attachment_picture WHERE attachment_id = ?', [id]));
    await app.writeRows((tx) =>
      tx.query(
        'UPDATE upload_space SET bytes = (SELECT SUM(size) FROM attachment WHERE owner_id = ?) WHERE user_id = ?',
        [mia().id, mia().id],
      ),
    );
    const message = await post(app, mia(), channel, `[](${url})`);
    await picturesDone(app);
    expect(await shown(message)).toBe(preview(url, ready(url)));
  });
});

describe('Videos and sound', () => {
  it('have players', async () => {
    const film = await upload(app, mia(), { name: 'a.mp4', content: 'film' });
    expect(await rendered(mia(), `[a](${film})`)).toBe(
      `<p><a href="${film}">a</a></p>\n<div class="message_inline_image message_inline_video">` +
        `<a href="${film}" title="a"><video preload="metadata" src="${film}"></video></a></div>`,
    );
    for (const name of ['a.mp3', 'a.flac', 'a.wav', 'a.aac']) {
      const song = await upload(app, mia(), { name, content: 'song' });
      expect(await rendered(mia(), `x ![${name}](${song})`)).toBe(
        `<p>x <audio controls preload="metadata" src="${song}" title="${name}"></audio></p>`,
      );
      expect(await rendered(mia(), `[a](${song})`)).toBe(`<p><a href="${song}">a</a></p>`);
      const part = await load(app, mia(), song, { range: 'bytes=1-2' });
      expect({ status: part.status, type: part.headers['content-type'] }).toEqual({
        status: 206,
        type: expect.stringMatching(/^audio\/(?:mpeg|flac|wav|aac)$/),
      });
    }
  });

  it('are links where the file is elsewhere', async () => {
    expect(await rendered(mia(), '![a](https://x.org/a.mp3) https://x.org/a.mp4')).toBe(
      '<p><a href="https://x.org/a.mp3">a</a> <a href="https://x.org/a.mp4">https://x.org/a.mp4</a></p>',
    );
  });
});

it('An organization may do without previews', async () => {
  const { olivia } = app.cast;
  const url = await uploadPng();
  const song = await upload(app, mia(), { name: 'a.mp3', content: 'song' });
  expectSuccess(await app.as(olivia).patch('/realm', { inline_image_preview: false }));
  try {
    expect(await rendered(mia(), `[a](${url})`)).toBe(`<p><a href="${url}">a</a></p>`);
    expect(await rendered(mia(), `![a](${url})`)).toBe(`<p><a href="${url}">a</a></p>`);
    expect(await rendered(mia(), `![a](${song})`)).toContain('<audio ');
  } finally {
    expectSuccess(await app.as(olivia).patch('/realm', { inline_image_preview: true }));
  }
  await picturesDone(app);
  expect(await rendered(mia(), `[](${url})`)).toBe(preview(url, ready(url)));
});
