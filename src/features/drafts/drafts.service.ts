import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Draft } from './drafts.entity';
import {
  DraftNotFound,
  draftRemoved,
  draftsAdded,
  draftUpdated,
  draftWire,
  type DraftWire,
  MAX_DRAFTS,
  NegativeTimestamp,
  NotOneChannel,
  NullInTopic,
  type SentDraft,
  TooManyDrafts,
} from './drafts.api';
import type { Actor } from '../../platform/actor';
import { initialState, stateFor } from '../../platform/client-state/initial-state.hooks';
import { Clock } from '../../platform/clock';
import { Database } from '../../platform/database/database.service';
import type { ReadRepository } from '../../platform/database/read-source';
import { Audience } from '../../platform/events/audience';
import { Hooks } from '../../platform/hooks/hooks';
import { insertEntity } from '../../platform/sql/entity-rows';
import type { Queryable } from '../../platform/sql/queryable';
import { ChannelAccess } from '../channels/channels.module';
import { DirectMessageAccess, MessageTextService } from '../messages/messages.module';
import {
  contentErased,
  OwnTransactions,
  personalDataRemoved,
  personalSettingsChanged,
} from '../users/users.module';

/** The content and destination of a draft. */
type DraftContent = Omit<Draft, 'id' | 'userId'>;

/** Validates drafts. A draft need not be sendable: the author may lack the permission to post. */
@Injectable()
export class DraftContentService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly channels: ChannelAccess,
    private readonly people: DirectMessageAccess,
    private readonly texts: MessageTextService,
  ) {}

  /** @throws NegativeTimestamp, NullInTopic, NotOneChannel, InvalidChannelId, and errors of contents and recipients */
  async checked(actor: Actor, sent: SentDraft): Promise<DraftContent> {
    const content = this.texts.content(sent.content);
    const { timestamp } = sent;
    if (timestamp != null && timestamp < 0) throw new NegativeTimestamp();
    const editedAt = timestamp == null ? this.clock.nowMs() : Math.round(timestamp * 1000);
    const nowhere = { channelId: null, recipientIds: '[]', topic: '', content, editedAt };
    if (sent.type === 'stream') return { ...nowhere, ...this.place(actor, sent) };
    if (sent.type === '' || sent.to.length === 0) return nowhere;
    return { ...nowhere, recipientIds: JSON.stringify(await this.recipients(actor, sent.to)) };
  }

  private place(actor: Actor, { to, topic }: SentDraft): Pick<Draft, 'channelId' | 'topic'> {
    if (topic.includes('\0')) throw new NullInTopic();
    const [channelId] = to;
    if (channelId === undefined || to.length > 1) throw new NotOneChannel();
    this.channels.forContent(actor, channelId);
    return { channelId, topic: this.texts.cutTopic(topic) };
  }

  private async recipients(actor: Actor, to: readonly number[]): Promise<number[]> {
    const recipients = this.people.recipients(actor, { userIds: [...new Set(to)] });
    await this.people.checkReachable(this.database.read, actor, recipients);
    const others = recipients.map(({ id }) => id).filter((id) => id !== actor.userId);
    return others.length > 0 ? others : [actor.userId];
  }
}

type Owner = Pick<Actor, 'userId'>;

/** Stores drafts, so that people can continue them on another device. */
@Injectable()
export class DraftsService {
  constructor(
    @InjectRepository(Draft) private readonly drafts: ReadRepository<Draft>,
    private readonly transactions: OwnTransactions,
    private readonly contents: DraftContentService,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('drafts', async (db, { reader }) => ({
        drafts: reader ? (await draftsOf(db.repository(Draft), reader)).map(draftWire) : [],
      })),
    );
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await forget(tx, userId);
    });
    hooks.on(contentErased, async (tx, userId) => ({ drafts: await forget(tx, userId) }));
    // Without an event: clients keep their own copies.
    hooks.on(personalSettingsChanged, async (tx, { id }, { enable_drafts_synchronization: isEnabled }) => {
      if (isEnabled === false) await forget(tx, id);
    });
  }

  /** Most recently edited last. */
  async list(actor: Actor): Promise<DraftWire[]> {
    return (await draftsOf(this.drafts, actor)).map(draftWire);
  }

  /**
   * @returns the IDs, in the order of the drafts @throws TooManyDrafts, and the errors of {@link DraftContentService}
   */
  async add(actor: Actor, sent: readonly SentDraft[]): Promise<number[]> {
    const { userId } = actor;
    const contents: DraftContent[] = [];
    for (const each of sent) contents.push(await this.contents.checked(actor, each));
    return this.transactions.run(actor, async (tx) => {
      const count = await tx.repository(Draft).countBy({ userId });
      if (contents.length > 0 && count + contents.length > MAX_DRAFTS) throw new TooManyDrafts(MAX_DRAFTS);
      const rows = await Promise.all(
        contents.map((content) => insertEntity(tx, Draft, { userId, ...content })),
      );
      tx.emit(draftsAdded({ drafts: rows.map(draftWire) }), Audience.of([userId]));
      return rows.map(({ id }) => id);
    });
  }

  /** @throws DraftNotFound, and the errors of {@link DraftContentService} */
  async edit(actor: Actor, id: number, sent: SentDraft): Promise<void> {
    await own(this.drafts, actor, id);
    const content = await this.contents.checked(actor, sent);
    await this.transactions.run(actor, async (tx) => {
      const draft = await tx
        .repository(Draft)
        .save({ ...(await own(tx.repository(Draft), actor, id)), ...content });
      tx.emit(draftUpdated({ draft: draftWire(draft) }), Audience.of([actor.userId]));
    });
  }

  /** @throws DraftNotFound */
  remove(actor: Actor, id: number): Promise<void> {
    return this.transactions.run(actor, async (tx) => {
      await own(tx.repository(Draft), actor, id);
      await tx.repository(Draft).delete({ id });
      tx.emit(draftRemoved({ draft_id: id }), Audience.of([actor.userId]));
    });
  }
}

function draftsOf(drafts: ReadRepository<Draft>, { userId }: Owner): Promise<Draft[]> {
  return drafts.find({ where: { userId }, order: { editedAt: 'DESC', id: 'DESC' } });
}

async function own(drafts: ReadRepository<Draft>, { userId }: Owner, id: number): Promise<Draft> {
  const draft = await drafts.findOneBy({ id, userId });
  if (!draft) throw new DraftNotFound();
  return draft;
}

/** @returns how many there were */
async function forget(tx: Queryable, userId: number): Promise<number> {
  const { affected } = await tx.repository(Draft).delete({ userId });
  return affected ?? 0;
}
