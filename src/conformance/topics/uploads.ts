import { check, topicOf } from '../check';
import { expectThat, listWith, listWithout, number, text } from '../expectations';
import type { Scene } from '../scene';

/** Uploads a file. @returns its URL */
async function fileOf(scene: Scene): Promise<string> {
  const content = Buffer.from('hello');
  const { body } = await scene.owner.client.upload(
    'POST /user_uploads',
    `${scene.word()}.txt`,
    content,
    'text/plain',
  );
  return String(body[scene.level >= 272 ? 'url' : 'uri']);
}

/** Uploaded files. */
export const UPLOADS = topicOf(
  'uploads',
  check('takes a file, and says where it is', 'Clients put the address into messages.', async (scene) => {
    const { owner } = scene;
    const { status, body } = await owner.client.upload(
      'POST /user_uploads',
      `${scene.word()}.txt`,
      Buffer.from('hello'),
      'text/plain',
    );
    expectThat(
      'POST /user_uploads',
      { status, body },
      { status: 200, body: { result: 'success', uri: /^\/user_uploads\// } },
    );
  }),
  check('gives the file back', 'With the key of a user who may read it.', async (scene) => {
    const { owner, level } = scene;
    const { body } = await owner.client.upload(
      'POST /user_uploads',
      `${scene.word()}.txt`,
      Buffer.from('hello'),
      'text/plain',
    );
    const path = String(level >= 272 ? body['url'] : body['uri']);
    const link = await owner.client.ok(`GET /api/v1${path}`);
    const { text: content } = await owner.client.ask(`GET ${String(link['url'])}`);
    expectThat('content of the file', content, 'hello');
  }),
  check('lists files, and what they take', 'People look after their space.', async (scene) => {
    const { owner } = scene;
    await owner.client.upload(
      'POST /user_uploads',
      `${scene.word()}.txt`,
      Buffer.from('hello'),
      'text/plain',
    );
    expectThat('GET /attachments', await owner.client.ok('GET /attachments'), {
      attachments: listWith({ id: number, name: text, path_id: text, size: 5, create_time: number }),
      upload_space_used: number,
    });
  }),
  check('removes a file', 'It is no longer listed.', async (scene) => {
    const { owner } = scene;
    const file = `${scene.word()}.txt`;
    await owner.client.upload('POST /user_uploads', file, Buffer.from('hello'), 'text/plain');
    const { attachments } = await owner.client.ok('GET /attachments');
    const { id } = (attachments as { id: number; name: string }[]).find(({ name }) => name === file) ?? {
      id: 0,
    };
    await owner.client.ok(`DELETE /attachments/${id}`);
    expectThat(
      'attachments',
      (await owner.client.ok('GET /attachments'))['attachments'],
      listWithout({ id }),
    );
  }),
  check('refuses a request without a file', 'It is an error of the request.', async ({ owner }) => {
    await owner.client.refused('POST /user_uploads', {}, 400, 'BAD_REQUEST');
  }),
  check('shows a file to recipients of a message with it', 'Other users are refused.', async (scene) => {
    const path = await fileOf(scene);
    const ask = () => scene.bot.client.ask(`GET /api/v1${path}`);
    expectThat('status before', (await ask()).status, (status: unknown) => Number(status) >= 400);
    await scene.send(`[a file](${path})`);
    expectThat('answer once it is in a message', (await ask()).body, { url: text });
  }),
  check(
    'sends events about files, with the messages that link to them',
    'Clients list them.',
    async (scene) => {
      const queue = await scene.listen(['attachment']);
      const path = await fileOf(scene);
      const pathId = path.replace('/user_uploads/', '');
      await queue.next({ type: 'attachment', op: 'add', attachment: { path_id: pathId } });
      const id = await scene.send(`[a file](${path})`);
      const messages = scene.level >= 472 ? { message_ids: listWith(id) } : {};
      await queue.next({ type: 'attachment', op: 'update', attachment: { path_id: pathId, ...messages } });
      await queue.end();
    },
  ),
  check('gives nothing for a file that there is not', 'It may have been removed.', async (scene) => {
    const path = (await fileOf(scene)).replace(/[^/]+$/, `${scene.word()}.txt`);
    const { status } = await scene.owner.client.ask(`GET /api/v1${path}`);
    expectThat('status', status, 404);
  }),
);
