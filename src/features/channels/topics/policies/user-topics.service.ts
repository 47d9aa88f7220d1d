import { Injectable } from '@nestjs/common';
import {
  initialState,
  stateFor,
  type StateRequest,
} from '../../../../platform/client-state/initial-state.hooks';
import { Clock } from '../../../../platform/clock';
import { chunksOf, groupBy } from '../../../../platform/collections';
import type { Transaction } from '../../../../platform/database/transaction.service';
import { Audience } from '../../../../platform/events/audience';
import type { ServerEvent } from '../../../../platform/events/server-event';
import { Hooks } from '../../../../platform/hooks/hooks';
import type { Queryable } from '../../../../platform/sql/queryable';
import { OrganizationDirectory } from '../../../organization-settings/organization-settings.module';
import { personalDataRemoved } from '../../../users/users.module';
import { ChannelDirectory } from '../../store/channel.directory';
import { UserTopic } from '../topic.entity';
import {
  mutedTopicsReplaced,
  mutedTopicsState,
  type MutedTopicWire,
  TopicVisibility,
  userTopicChanged,
  userTopicsState,
  userTopicWire,
} from '../topics.api';
import { topicKey } from '../topics.service';

/** A person's policy for a topic. */
interface UserTopicPolicy {
  readonly channelId: number;
  /** As first spelled; '' for the empty topic. */
  readonly topic: string;
  readonly policy: TopicVisibility;
  /** UNIX seconds. */
  readonly lastUpdated: number;
}

/** The policy that a person chooses for a topic. */
type PolicyChoice = Omit<UserTopicPolicy, 'lastUpdated'>;

const COLUMNS = `channel_id AS "channelId", topic_name AS topic, visibility_policy AS policy,
  last_updated AS "lastUpdated"`;

/** The number of people whose muted topics one statement reads. */
const PEOPLE_PER_STATEMENT = 500;

/** The capability of clients that support the empty topic name; others receive its display name. */
const EMPTY_TOPIC_NAME = 'empty_topic_name';

/** Stores people's visibility policies for topics. Callers check permissions. */
@Injectable()
export class UserTopicsService {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly clock: Clock,
    hooks: Hooks,
  ) {
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(UserTopic).delete({ userId });
    });
  }

  /** A person's policies for topics of all channels, in no particular order. */
  policiesOf(db: Queryable, userId: number): Promise<UserTopicPolicy[]> {
    return db.query<UserTopicPolicy>(`SELECT ${COLUMNS} FROM user_topic WHERE user_id = ?`, [userId]);
  }

  /**
   * Policies for a topic in any spelling, by user ID; users without one are omitted.
   * @param userIds only these people; all by default
   */
  async policiesFor(
    db: Queryable,
    channelId: number,
    topic: string,
    userIds?: readonly number[],
  ): Promise<Map<number, TopicVisibility>> {
    const rows = await db.query<Pick<UserTopic, 'userId' | 'visibilityPolicy'>>(
      `SELECT user_id AS "userId", visibility_policy AS "visibilityPolicy" FROM user_topic WHERE channel_id = ? AND topic_key = ?
       ${userIds ? 'AND user_id IN (?)' : ''}`,
      [channelId, topicKey(topic), ...(userIds ? [userIds] : [])],
    );
    return new Map(rows.map((row) => [row.userId, row.visibilityPolicy]));
  }

  /**
   * Sets a policy, or removes it with `none`; emits the change, if any.
   * @param choice its topic need not have messages
   * @returns whether anything changed
   */
  async set(tx: Transaction, userId: number, choice: PolicyChoice): Promise<boolean> {
    const { channelId, topic, policy } = choice;
    const lastUpdated = this.clock.nowSeconds();
    const key = [userId, channelId, topicKey(topic)] as const;
    const name =
      policy === TopicVisibility.none
        ? await forget(tx, key)
        : await store(tx, key, { topic, policy, lastUpdated });
    if (name === undefined) return false;
    await this.tellMuted(tx, [userId]);
    this.tellPolicy(tx, [userId], { channelId, topic: name, policy, lastUpdated });
    return true;
  }

  /**
   * Sets a policy, or removes it with `none`, for several people who have a different one, and emits the change.
   * @param change contains the topic in its new spelling
   */
  async setForAll(tx: Transaction, userIds: readonly number[], change: UserTopicPolicy): Promise<void> {
    if (userIds.length === 0) return;
    const { channelId, topic, policy, lastUpdated } = change;
    const key = topicKey(topic);
    const muting = await tx.query<{ id: number }>(
      `SELECT user_id AS id FROM user_topic
       WHERE channel_id = ? AND topic_key = ? AND user_id IN (?) AND visibility_policy = ?`,
      [channelId, key, userIds, TopicVisibility.muted],
    );
    if (policy === TopicVisibility.none) {
      await tx.query('DELETE FROM user_topic WHERE channel_id = ? AND topic_key = ? AND user_id IN (?)', [
        channelId,
        key,
        userIds,
      ]);
    } else {
      await tx.query(
        `INSERT INTO user_topic (user_id, channel_id, topic_key, topic_name, visibility_policy, last_updated)
         SELECT id, ?, ?, ?, ?, ? FROM account WHERE id IN (?)
         ON CONFLICT (user_id, channel_id, topic_key) DO UPDATE
         SET visibility_policy = excluded.visibility_policy, last_updated = excluded.last_updated`,
        [channelId, key, topic, policy, lastUpdated, userIds],
      );
    }
    const concerned = policy === TopicVisibility.muted ? userIds : muting.map(({ id }) => id);
    for (const some of chunksOf(concerned, PEOPLE_PER_STATEMENT)) await this.tellMuted(tx, some);
    this.tellPolicy(tx, userIds, change);
  }

  /** A person's muted topics, for clients that only support muting. */
  mutedTopics(policies: readonly UserTopicPolicy[], allowEmptyName: boolean): MutedTopicWire[] {
    return mutedWire(this.mutedOf(policies), this.shownTopic(allowEmptyName));
  }

  /** @param allowEmptyName whether the empty topic keeps its name instead of its display name */
  shownTopic(allowEmptyName: boolean): ShownTopic {
    const displayName = this.organization.settings.empty_topic_display_name;
    return allowEmptyName ? (topic) => topic : (topic) => topic || displayName;
  }

  /** Excludes topics of archived channels: older clients do not know those channels. */
  private mutedOf(policies: readonly UserTopicPolicy[]): MutedTopic[] {
    return policies
      .flatMap((each) => {
        const channel = this.channels.byId(each.channelId);
        const isMuted = each.policy === TopicVisibility.muted;
        return isMuted && channel && !channel.isArchived ? [{ ...each, channel: channel.name }] : [];
      })
      .sort((a, b) => a.lastUpdated - b.lastUpdated);
  }

  /** Sends each of the people the list of all their muted topics. */
  private async tellMuted(tx: Transaction, userIds: readonly number[]): Promise<void> {
    const rows = await tx.query<UserTopicPolicy & { user_id: number }>(
      `SELECT user_id, ${COLUMNS} FROM user_topic WHERE user_id IN (?)`,
      [userIds],
    );
    const byPerson = groupBy(rows, (row) => row.user_id);
    for (const userId of userIds) {
      const muted = this.mutedOf(byPerson.get(userId) ?? []);
      const topics = muted.map((each) => each.topic);
      this.emit(tx, [userId], topics, (shown) =>
        mutedTopicsReplaced({ muted_topics: mutedWire(muted, shown) }),
      );
    }
  }

  private tellPolicy(
    tx: Transaction,
    userIds: readonly number[],
    { channelId, topic, policy, lastUpdated }: UserTopicPolicy,
  ): void {
    this.emit(tx, userIds, [topic], (shown) =>
      userTopicChanged(channelId, shown(topic), policy, lastUpdated),
    );
  }

  /** Emits one event, or two forms of it if it names the empty topic. */
  private emit(
    tx: Transaction,
    userIds: readonly number[],
    topics: readonly string[],
    event: (shown: ShownTopic) => ServerEvent,
  ): void {
    const audience = Audience.of(userIds);
    const asItIs = event(this.shownTopic(true));
    if (!topics.includes('')) {
      tx.emit(asItIs, audience);
      return;
    }
    tx.emit(asItIs, audience, { requires: EMPTY_TOPIC_NAME });
    tx.emit(event(this.shownTopic(false)), audience, { unless: EMPTY_TOPIC_NAME });
  }
}

/** Returns the name of a topic as shown to a client. */
type ShownTopic = (topic: string) => string;

/** A muted topic with the name of its channel. */
type MutedTopic = UserTopicPolicy & { readonly channel: string };

function mutedWire(muted: readonly MutedTopic[], shown: ShownTopic): MutedTopicWire[] {
  return muted.map((each) => [each.channel, shown(each.topic), each.lastUpdated]);
}

/** The columns that identify a row. */
type Key = readonly [userId: number, channelId: number, topicKey: string];

/** @returns the topic as first spelled; undefined if the policy is unchanged */
async function store(
  tx: Transaction,
  key: Key,
  { topic, policy, lastUpdated }: Omit<UserTopicPolicy, 'channelId'>,
): Promise<string | undefined> {
  const [row] = await tx.query<{ topic_name: string }>(
    `INSERT INTO user_topic (user_id, channel_id, topic_key, topic_name, visibility_policy, last_updated)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (user_id, channel_id, topic_key) DO UPDATE
     SET visibility_policy = excluded.visibility_policy, last_updated = excluded.last_updated
     WHERE user_topic.visibility_policy <> excluded.visibility_policy
     RETURNING topic_name`,
    [...key, topic, policy, lastUpdated],
  );
  return row?.topic_name;
}

/** @returns the topic as first spelled; undefined if there was no policy */
async function forget(tx: Transaction, key: Key): Promise<string | undefined> {
  const [row] = await tx.query<{ topic_name: string }>(
    'DELETE FROM user_topic WHERE user_id = ? AND channel_id = ? AND topic_key = ? RETURNING topic_name',
    key,
  );
  return row?.topic_name;
}

const USER_TOPIC = 'user_topic';

/** Initial state of a person's policies for topics, in the current and the legacy form. */
@Injectable()
export class UserTopicsStateService {
  constructor(
    private readonly topics: UserTopicsService,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor(USER_TOPIC, (db, request) => this.policies(db, request)),
    );
    hooks.on(
      initialState,
      stateFor('muted_topics', (db, request) => this.muted(db, request)),
    );
  }

  private async policies(db: Queryable, request: StateRequest) {
    const shown = this.topics.shownTopic(request.capabilities.has(EMPTY_TOPIC_NAME));
    const policies = await this.read(db, request);
    const records = policies.map(({ channelId, topic, policy, lastUpdated }) =>
      userTopicWire(channelId, shown(topic), policy, lastUpdated),
    );
    return userTopicsState(records);
  }

  /** A client that explicitly requests the current form does not need the legacy one. */
  private async muted(
    db: Queryable,
    request: StateRequest,
  ): Promise<Partial<ReturnType<typeof mutedTopicsState>>> {
    if (request.isNamed(USER_TOPIC)) return {};
    const policies = await this.read(db, request);
    const allowEmptyName = request.capabilities.has(EMPTY_TOPIC_NAME);
    return mutedTopicsState(this.topics.mutedTopics(policies, allowEmptyName));
  }

  private async read(db: Queryable, { reader }: StateRequest): Promise<UserTopicPolicy[]> {
    return reader ? this.topics.policiesOf(db, reader.userId) : [];
  }
}
