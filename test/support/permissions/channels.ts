import sharp from 'sharp';
import { isAdministrator, isGuest } from '../../../src/platform/actor';
import type { Member } from '../cast';
import { channelId } from '../channel-setup';
import { expectSuccess } from '../expect-answer';
import { sendTo } from '../message-setup';
import type { TestApp } from '../test-app';
import { upload } from '../upload-setup';
import type { Actor, ActorName } from './actors';
import type { Target } from './outcome';

/** Possible relations of a caller to a channel. */
export const RELATIONS = ['subscribed', 'left', 'never subscribed'] as const;
/** A caller's relation to a channel. */
export type Relation = (typeof RELATIONS)[number];

/** Kinds of channels with different permissions. */
export const CHANNEL_KINDS = [
  'public channel',
  'web-public channel',
  'private channel',
  'private channel, protected history',
  'archived public channel',
  'archived private channel',
] as const;
/** One of {@link CHANNEL_KINDS}. */
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** A test channel. The host created it and is subscribed. */
export interface Channel extends Target {
  readonly id: number;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly relation: Relation;
  /** The host's messages: from before the others subscribed, and from afterwards. */
  readonly earlier: number;
  readonly later: number;
  /** A message of each actor, from the time of the subscription. */
  readonly own: ReadonlyMap<ActorName, number>;
  /** The URL of a file of the host, linked from the later message. */
  readonly file: string;
}

/** The topic of all messages. */
export const TOPIC = 'soup';

export const NO_CHANNEL: Channel = {
  id: 1_999_999_991,
  name: 'nowhere',
  kind: 'private channel',
  relation: 'never subscribed',
  earlier: 1_999_999_992,
  later: 1_999_999_993,
  own: new Map(),
  file: '/user_uploads/1/00/nothing/file.txt',
};

function onePixel(): Promise<Buffer> {
  return sharp({ create: { width: 1, height: 1, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
}

/** Whether a caller may know of a channel: its subscribers and administrators, and for open ones all but guests. */
export function maySee({ account }: Actor, { kind, relation }: Channel): boolean {
  if (!account) return kind === 'web-public channel';
  if (relation === 'subscribed' || isAdministrator(account) || kind === 'web-public channel') return true;
  return !kind.includes('private') && !isGuest(account);
}

/** Creates channels, in sets: actions that change channels or subscriptions use a separate set. */
export class Channels {
  private readonly made = new Map<string, Promise<Channel>>();
  private count = 0;

  constructor(
    private readonly app: TestApp,
    private readonly host: Member,
    private readonly actors: readonly Actor[],
  ) {}

  /**
   * A channel of the kind in the set, created on demand. Those of the unnamed set have a file.
   * @param withOwn whether everyone who was ever subscribed has sent a message
   */
  get(set: string, kind: ChannelKind, relation: Relation, withOwn = false): Promise<Channel> {
    const key = [set, kind, relation].join('; ');
    let channel = this.made.get(key);
    if (!channel) {
      channel = this.make(kind, relation, set === '', withOwn);
      this.made.set(key, channel);
    }
    return channel;
  }

  async make(kind: ChannelKind, relation: Relation, withFile = false, withOwn = false): Promise<Channel> {
    const { app, host } = this;
    const owner = app.cast.olivia;
    // No name is a prefix of another, so that answers identify the channel.
    const name = `place${String(++this.count).padStart(4, '0')}`;
    expectSuccess(
      await app.as(kind === 'web-public channel' ? owner : host).post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [host.id],
        invite_only: kind.includes('private'),
        is_web_public: kind === 'web-public channel',
        history_public_to_subscribers: !kind.includes('protected'),
      }),
    );
    const id = await channelId(app, name);
    const earlier = await sendTo(app, host, id, TOPIC, 'earlier');
    if (relation !== 'never subscribed') await this.subscribeAll(name);
    const own = withOwn && relation !== 'never subscribed' ? await this.ownMessages(id) : NO_CHANNEL.own;
    const file = withFile ? await upload(app, host, { name: 'file.png', content: await onePixel() }) : '';
    const later = await sendTo(app, host, id, TOPIC, `[later](${file})`);
    if (relation === 'left') {
      const principals = this.everybody();
      expectSuccess(
        await app.as(owner).delete('/users/me/subscriptions', { subscriptions: [name], principals }),
      );
    }
    if (kind.includes('archived')) expectSuccess(await app.as(owner).delete(`/streams/${id}`));
    return { id, name, kind, relation, earlier, later, own, file };
  }

  private async subscribeAll(name: string): Promise<void> {
    expectSuccess(
      await this.app.as(this.host).post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: this.everybody(),
        send_new_subscription_messages: false,
      }),
    );
  }

  private async ownMessages(id: number): Promise<Map<ActorName, number>> {
    const own = new Map<ActorName, number>();
    for (const { name: actor, account } of this.actors) {
      if (account) own.set(actor, await sendTo(this.app, account, id, TOPIC, 'own'));
    }
    return own;
  }

  private everybody(): number[] {
    return this.actors.flatMap(({ account, friend }) => [...(account ? [account.id] : []), friend.id]);
  }
}
