import { CreateAccountService } from '../../src/features/users/accounts/accounts.service';
import { Role } from '../../src/platform/actor';
import type { Answer, ApiClient } from './api-client';
import type { Member } from './cast';
import { createChannel } from './channel-setup';
import { sendTo } from './message-setup';
import type { TestApp } from './test-app';
import type { TestQueue } from './test-queue';

/** One of the most frequent requests. */
export interface HotRequest {
  /** Creates what each call needs: the message that it is about. */
  readonly before?: () => Promise<number>;
  readonly call: (messageId: number) => Promise<Answer>;
  /** Whether the size of the answer is checked. */
  readonly isWeighed?: true;
}

/** A word that few messages have. */
const RARE_WORD = 'lantern';

/** The people and channels used in hot requests. */
export class HotScene {
  /** Channels made so far. */
  made = 0;

  private constructor(
    private readonly app: TestApp,
    readonly small: number,
    readonly large: number,
    readonly queue: TestQueue,
  ) {}

  /** @param subscribers of the larger of two channels */
  static async prepare(app: TestApp, subscribers = 300): Promise<HotScene> {
    const { mia, max, olivia } = app.cast;
    const three = [mia.id, max.id, olivia.id];
    const crowd = await addPeople(app, subscribers - three.length);
    const small = await createChannel(app, olivia, 'small', { principals: three });
    const large = await createChannel(app, olivia, 'large', { principals: [...three, ...crowd] });
    await sendTo(app, mia, small, 'costs', `a ${RARE_WORD}`);
    return new HotScene(app, small, large, await app.queue(max, { event_types: ['message'] }));
  }

  get reader(): Member {
    return this.app.cast.max;
  }

  /** The sender. */
  get mia(): ApiClient {
    return this.app.as(this.app.cast.mia);
  }

  /** The reader. */
  get max(): ApiClient {
    return this.app.as(this.reader);
  }

  message(): Promise<number> {
    return sendTo(this.app, this.app.cast.mia, this.small, 'costs');
  }

  send(to: number): Promise<Answer> {
    return this.mia.post('/messages', { type: 'channel', to, topic: 'costs', content: 'hello' });
  }

  newest(narrow: readonly unknown[]): Promise<Answer> {
    return this.max.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow });
  }
}

/** Hot requests by name. */
export const HOT_REQUESTS: Readonly<Record<string, (scene: HotScene) => HotRequest>> = {
  'send to 3 subscribers': (s) => ({ call: () => s.send(s.small) }),
  'send to 300 subscribers': (s) => ({ call: () => s.send(s.large) }),
  'send a direct message': (s) => ({
    call: () => s.mia.post('/messages', { type: 'direct', to: [s.reader.id], content: 'hello' }),
  }),
  'mark a message as read': (s) => ({
    before: () => s.message(),
    call: (id) => s.max.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }),
  }),
  'add a reaction': (s) => ({
    before: () => s.message(),
    call: (id) => s.max.post(`/messages/${id}/reactions`, { emoji_name: 'heart' }),
  }),
  'own user': (s) => ({ call: () => s.max.get('/users/me') }),
  '100 newest messages': (s) => ({ call: () => s.newest([]) }),
  '100 newest messages of a topic': (s) => ({
    call: () =>
      s.newest([
        ['channel', 'small'],
        ['topic', 'costs'],
      ]),
  }),
  'search for a word': (s) => ({ call: () => s.newest([['search', 'hello']]) }),
  'search for a rare word': (s) => ({ call: () => s.newest([['search', RARE_WORD]]) }),
  'topics of a channel': (s) => ({ call: () => s.max.get(`/users/me/${s.small}/topics`) }),
  'channel list': (s) => ({ call: () => s.max.get('/streams') }),
  'register for messages': (s) => ({
    call: () => s.max.post('/register', { event_types: ['message'], fetch_event_types: ['message'] }),
  }),
  'make a channel': (s) => ({
    call: () => s.mia.post('/users/me/subscriptions', { subscriptions: [{ name: `made ${++s.made}` }] }),
  }),
  'mark 50 messages as read': (s) => ({
    before: async () => {
      let id = 0;
      for (let n = 0; n < 50; n++) id = await s.message();
      return id;
    },
    call: (newest) =>
      s.max.post('/messages/flags', {
        messages: Array.from({ length: 50 }, (_, n) => newest - n),
        op: 'add',
        flag: 'read',
      }),
  }),
  'poll with a message': (s) => ({
    before: async () => {
      await s.queue.events();
      return s.message();
    },
    call: () => s.queue.request(),
    isWeighed: true,
  }),
  presence: (s) => ({ call: () => s.max.post('/users/me/presence', { status: 'active' }) }),
  typing: (s) => ({
    call: () => s.max.post('/typing', { op: 'start', type: 'channel', stream_id: s.small, topic: 'costs' }),
  }),
};

/** All at once, without welcome messages. */
function addPeople(app: TestApp, count: number): Promise<number[]> {
  return app.writeRows(async (tx) => {
    const ids: number[] = [];
    for (let at = 1; at <= count; at++) {
      const person = { deliveryEmail: `p${at}@example.com`, fullName: `Person ${at}`, role: Role.member };
      ids.push((await app.get(CreateAccountService).insert(tx, person)).id);
    }
    return ids;
  });
}
